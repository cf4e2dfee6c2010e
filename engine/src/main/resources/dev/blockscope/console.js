// What a block says goes to the host as lines of text. This makes the text: values are shown as browsers and
// Node show them, cut where they are too long or too deep, and without calling their getters.
(function (host, describe) {
  'use strict';
  // Taken now: later a name of the block's could stand in front of one of these.
  const { Array, ArrayBuffer, BigInt, Boolean, Date, Error, Function, JSON, Map, Math, Number, Object, Promise,
          Reflect, RegExp, Set, SharedArrayBuffer, String, Symbol, WeakMap, WeakSet, parseInt, parseFloat }
    = globalThis;
  const { apply, getPrototypeOf, ownKeys } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const unbound = method => self => apply(method, self, []);
  const getter = (type, name) => unbound(getOwnPropertyDescriptor(type.prototype, name).get);
  const mapSize = getter(Map, 'size'), setSize = getter(Set, 'size');
  const byteLengths = [ArrayBuffer, SharedArrayBuffer].filter(Boolean).map(type => getter(type, 'byteLength'));
  const kindOfTyped = unbound(getOwnPropertyDescriptor(
    getPrototypeOf(globalThis.Int8Array).prototype, Symbol.toStringTag).get);
  const boxes = [Number, String, Boolean, BigInt, Symbol]
    .map(type => ({ name: type.name, valueOf: unbound(type.prototype.valueOf) }));
  const functionText = unbound(Function.prototype.toString);

  const DEEPEST = 5, MOST_ELEMENTS = 100, MOST_KEYS = 100, MOST_ROWS = 1_000, LONGEST_STRING = 10_000, WIDEST = 72, SHORT = 20, MOST_TEXT = 100_000, LONGEST_LINE = 2 ** 20, LONGEST_LABEL = 1_000;

  // Answers undefined where the value is not of the kind that the function is for.
  const attempt = (f, ...given) => {
    try {
      return f(...given);
    } catch {
      return undefined;
    }
  };

  const beginning = (text, most) => text.length > most ? text.slice(0, most) : text;

  // Puts texts together in a way that costs nothing, however long they are, before somebody reads the whole.
  const spaced = texts => {
    let line = '';
    for (let i = 0; i < texts.length; i++) line += i === 0 ? texts[i] : ` ${texts[i]}`;
    return line;
  };

  // Hands a line to the host. Of an overlong one the host hears the length first, which may end the run.
  const say = (level, text) => {
    const left = text.length - LONGEST_LINE;
    if (left <= 0 || host.skip(left)) host.write(level, beginning(text, LONGEST_LINE), Math.max(left, 0));
  };

  const quoted = string => {
    const escapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', '\v': '\\v', '\\': '\\\\' };
    const cut = beginning(string, LONGEST_STRING);
    const quote = ["'", '"', '`'].find(it => !cut.includes(it)) ?? "'";
    let shown = quote;
    for (let i = 0; i < cut.length; i++) {
      const c = cut[i];
      shown += escapes[c] ?? (c === quote ? '\\' + c : c);
    }
    const left = string.length - cut.length;
    return shown + quote + (left > 0 ? `... ${left} more characters` : '');
  };

  const primitive = value => {
    switch (typeof value) {
      case 'string': return quoted(value);
      case 'number': return Object.is(value, -0) ? '-0' : `${value}`;
      case 'bigint': return `${value}n`;
      default: return String(value);
    }
  };

  const keyOf = key => {
    if (typeof key === 'symbol') return `[${String(key)}]`;
    // Without a pattern, which would leave its last match to the block.
    const plain = [...key].every((c, i) => c === '_' || c === '$' || (c >= 'a' && c <= 'z')
      || (c >= 'A' && c <= 'Z') || (i > 0 && c >= '0' && c <= '9'));
    return plain && key !== '' ? key : quoted(key);
  };

  // The name of what made an object: its nearest prototype that has a constructor of its own.
  const makerOf = value => {
    for (let object = value; object !== null; object = getPrototypeOf(object)) {
      const made = getOwnPropertyDescriptor(object, 'constructor')?.value;
      if (typeof made === 'function') {
        const name = getOwnPropertyDescriptor(made, 'name')?.value;
        return typeof name === 'string' ? name : '';
      }
    }
    return null;
  };

  const functionShown = value => {
    const name = getOwnPropertyDescriptor(value, 'name')?.value;
    const source = attempt(functionText, value) ?? '';
    const called = typeof name === 'string' && name !== '' ? name : null;
    if (source.startsWith('class')) {
      const parent = getPrototypeOf(value);
      const above = typeof parent === 'function' ? getOwnPropertyDescriptor(parent, 'name')?.value : '';
      return `[class ${called ?? '(anonymous)'}${above ? ` extends ${above}` : ''}]`;
    }
    const kind = makerOf(value) || 'Function';
    return called === null ? `[${kind} (anonymous)]` : `[${kind}: ${called}]`;
  };

  class Inspection {
    constructor(deepest) {
      this.deepest = deepest;
      this.above = [];
      this.rings = [];
      this.left = MOST_TEXT;
    }

    show(value, depth = 0) {
      if (this.left <= 0) return '...';
      const shown = (typeof value !== 'object' && typeof value !== 'function') || value === null
        ? primitive(value)
        : this.object(value, depth);
      this.left -= shown.length;
      return shown;
    }

    object(value, depth) {
      const foreign = describe(value);
      if (foreign !== null && foreign !== 'list' && foreign !== 'map') return foreign;
      if (this.above.includes(value)) {
        if (!this.rings.includes(value)) this.rings.push(value);
        return `[Circular *${this.rings.indexOf(value) + 1}]`;
      }
      this.above.push(value);
      try {
        const shown = foreign === null ? this.parts(value, depth) : this.view(value, depth, foreign === 'list');
        const ring = this.rings.indexOf(value);
        return ring < 0 ? shown : `<ref *${ring + 1}> ${shown}`;
      } catch (e) {
        return `[cannot be shown: ${attempt(String, e) ?? 'an error'}]`;
      } finally {
        this.above.pop();
      }
    }

    // A list or a map of the host's, which has no prototype and no descriptors.
    view(value, depth, isList) {
      if (depth > this.deepest) return isList ? '[Array]' : '[Object]';
      const keys = isList ? Array.from({ length: Math.min(value.length, MOST_ELEMENTS) }, (_, i) => i) : Object.keys(value);
      const shown = keys.slice(0, MOST_KEYS)
        .map(key => (isList ? '' : `${keyOf(key)}: `) + this.show(value[key], depth + 1));
      const more = (isList ? value.length : keys.length) - shown.length;
      if (more > 0) shown.push(`... ${more} more item${more === 1 ? '' : 's'}`);
      return isList ? this.joined('', '[', ']', shown, depth) : this.joined('', '{', '}', shown, depth);
    }

    parts(value, depth) {
      const maker = makerOf(value);
      const prefix = (usual, size) => {
        const name = maker === null ? `[${usual}: null prototype]` : maker === '' ? usual : maker;
        return size === undefined ? `${name} ` : `${name}(${size}) `;
      };
      if (Array.isArray(value)) {
        const plain = maker === 'Array';
        return this.braces(value, depth, plain ? '' : prefix('Array', value.length), '[', ']',
          () => this.elements(value, value.length, depth), true);
      }
      const typed = attempt(kindOfTyped, value);
      if (typed !== undefined) {
        const { length } = value;
        return this.braces(value, depth, prefix(typed, length), '[', ']',
          () => this.elements(value, length, depth), true);
      }
      const mapped = attempt(mapSize, value);
      if (mapped !== undefined) {
        return this.braces(value, depth, prefix('Map', mapped), '{', '}', () => this.entries(Map, value,
          (v, k) => `${this.show(k, depth + 1)} => ${this.show(v, depth + 1)}`));
      }
      const setted = attempt(setSize, value);
      if (setted !== undefined) {
        return this.braces(value, depth, prefix('Set', setted), '{', '}', () => this.entries(Set, value,
          v => this.show(v, depth + 1)));
      }
      const own = this.ownForm(value, prefix);
      if (own !== undefined) {
        const more = this.properties(value, depth, true);
        return more.length === 0 ? own : this.joined(`${own} `, '{', '}', more, depth);
      }
      return this.braces(value, depth, maker === 'Object' ? '' : prefix('Object'), '{', '}', () => []);
    }

    // What is shown as itself: functions, errors, dates, patterns, boxes. Undefined for any other object.
    ownForm(value, prefix) {
      if (typeof value === 'function') return functionShown(value);
      if (value instanceof Error) return errorShown(value);
      if (value instanceof Date) return attempt(() => value.toISOString()) ?? 'Invalid Date';
      if (value instanceof RegExp) return `/${value.source}/${value.flags}`;
      if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
        return `${prefix('Promise')}{}`;
      }
      for (const lengthOf of byteLengths) {
        const length = attempt(lengthOf, value);
        if (length !== undefined) return `${prefix('ArrayBuffer')}{ byteLength: ${length} }`;
      }
      for (const { name, valueOf } of boxes) {
        const inner = attempt(valueOf, value);
        if (inner !== undefined) return `[${name}: ${primitive(inner)}]`;
      }
      return undefined;
    }

    elements(value, length, depth) {
      const shown = [];
      let at = 0;
      for (; at < length && shown.length < MOST_ELEMENTS && this.left > 0; at++) {
        const property = getOwnPropertyDescriptor(value, at);
        if (property !== undefined) {
          shown.push(this.property(property, depth));
          continue;
        }
        let holes = 1;
        while (at + 1 < length && holes < 1_000_000 && getOwnPropertyDescriptor(value, at + 1) === undefined) {
          at++;
          holes++;
        }
        shown.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`);
      }
      if (at < length) shown.push(`... ${length - at} more item${length - at === 1 ? '' : 's'}`);
      return shown;
    }

    entries(type, value, show) {
      const shown = [];
      let more = 0;
      apply(type.prototype.forEach, value, [(v, k) => {
        if (shown.length < MOST_ELEMENTS && this.left > 0) shown.push(show(v, k));
        else more++;
      }]);
      if (more > 0) shown.push(`... ${more} more item${more === 1 ? '' : 's'}`);
      return shown;
    }

    property(property, depth) {
      if (property.get !== undefined) return property.set === undefined ? '[Getter]' : '[Getter/Setter]';
      return property.set !== undefined ? '[Setter]' : this.show(property.value, depth + 1);
    }

    // An array's elements are among its keys and have been shown.
    properties(value, depth, indexed) {
      const shown = [];
      let more = 0;
      for (const key of ownKeys(value)) {
        const property = getOwnPropertyDescriptor(value, key);
        if (!property?.enumerable) continue;
        if (indexed && typeof key === 'string' && String(key >>> 0) === key) continue;
        if (shown.length >= MOST_KEYS || this.left <= 0) {
          more++;
        } else {
          shown.push(`${keyOf(key)}: ${this.property(property, depth)}`);
        }
      }
      if (more > 0) shown.push(`... ${more} more propert${more === 1 ? 'y' : 'ies'}`);
      return shown;
    }

    braces(value, depth, prefix, open, close, contents, indexed = false) {
      if (depth > this.deepest) {
        return indexed ? '[Array]' : `[${prefix === '' ? 'Object' : prefix.trimEnd()}]`;
      }
      return this.joined(prefix, open, close, [...contents(), ...this.properties(value, depth, indexed)], depth);
    }

    joined(prefix, open, close, parts, depth) {
      if (parts.length === 0) return `${prefix}${open}${close}`;
      const line = parts.join(', ');
      if (line.length + prefix.length + 2 * depth <= WIDEST && !line.includes('\n')) {
        return `${prefix}${open} ${line} ${close}`;
      }
      const rows = parts.length > 6 && parts.every(part => part.length <= SHORT) ? filled(parts) : parts;
      return `${prefix}${open}\n${rows.map(indented).join(',\n')}\n${close}`;
    }
  }

  // Many short parts stand beside one another.
  const filled = parts => parts.reduce((rows, part) => {
    const last = rows.length - 1;
    if (last >= 0 && rows[last].length + part.length + 2 <= WIDEST) rows[last] += `, ${part}`;
    else rows.push(part);
    return rows;
  }, []);

  const indented = shown => `  ${shown.replaceAll('\n', '\n  ')}`;

  // Where an error was made, in the block's own texts.
  const placesOf = stack => typeof stack !== 'string' ? '' : stack.split('\n')
    .filter(line => line.startsWith('    at ') && !line.includes('blockscope-'))
    .map(line => `\n${line.includes(':program (') ? line.replace(':program (', '').slice(0, -1) : line}`).join('');

  const errorShown = error => {
    const read = key => attempt(() => getOwnPropertyDescriptor(error, key)?.value ?? getPrototypeOf(error)[key]);
    const name = read('name'), message = read('message');
    const title = message ? `${name}: ${message}` : `${name}`;
    const places = placesOf(read('stack'));
    const cause = getOwnPropertyDescriptor(error, 'cause');
    return title + places + (cause === undefined ? '' : `\n  [cause]: ${inspect(cause.value)}`);
  };

  const inspect = (value, deepest = DEEPEST) => new Inspection(deepest).show(value);
  const shown = value => typeof value === 'string' ? value : inspect(value);

  const asNumber = (value, parse) => typeof value === 'symbol' || typeof value === 'object'
    ? 'NaN'
    : typeof value === 'bigint' ? `${value}n` : primitive(parse(value));
  const asText = value => typeof value === 'string' ? value
    : typeof value === 'object' && value !== null ? inspect(value, 0) : primitive(value);
  const directives = {
    s: asText,
    d: value => asNumber(value, Number),
    i: value => asNumber(value, parseInt),
    f: value => asNumber(value, parseFloat),
    j: value => attempt(JSON.stringify, value) ?? 'undefined',
    o: value => inspect(value),
    O: value => inspect(value),
    c: () => '',
  };

  const format = given => {
    let line = '';
    let rest = given;
    // An overlong text is no pattern: to look for directives is to read the whole of it.
    if (typeof given[0] === 'string' && given.length > 1 && given[0].length <= LONGEST_LINE) {
      rest = [...given];
      const pattern = rest.shift();
      let from = 0;
      for (let at = pattern.indexOf('%'); at >= 0; at = pattern.indexOf('%', from)) {
        const next = pattern[at + 1];
        line += pattern.slice(from, at);
        from = at + 2;
        if (next === '%') {
          line += '%';
        } else if (rest.length > 0 && next !== undefined && Object.hasOwn(directives, next)) {
          line += directives[next](rest.shift());
        } else {
          line += '%';
          from = at + 1;
        }
      }
      line += pattern.slice(from);
      if (rest.length === 0) return line;
      line += ' ';
    }
    return line + spaced(rest.map(shown));
  };

  // As in Node: a row for each element, a column for each key that one of them has.
  const table = (rows, only) => {
    const columns = [], lines = [];
    let values = false;
    const cell = value => typeof value === 'object' && value !== null ? inspect(value, 0) : inspect(value);
    const add = (index, row) => {
      const cells = { __proto__: null };
      if (typeof row !== 'object' || row === null) {
        values = true;
        lines.push({ index, cells, value: cell(row) });
        return;
      }
      for (const key of Object.keys(row)) {
        if (only !== undefined && !only.includes(key)) continue;
        if (!columns.includes(key)) {
          if (columns.length >= MOST_KEYS) continue;
          columns.push(key);
        }
        cells[key] = cell(row[key]);
      }
      lines.push({ index, cells, value: '' });
    };
    for (const key of Object.keys(rows).slice(0, MOST_ROWS)) add(key, rows[key]);
    const head = ['(index)', ...(only ?? columns), ...(values ? ['Values'] : [])];
    const grid = lines.map(({ index, cells, value }) =>
      [index, ...(only ?? columns).map(key => cells[key] ?? ''), ...(values ? [value] : [])]);
    const widths = head.map((title, i) => Math.max(title.length, ...grid.map(row => row[i].length)) + 2);
    const rule = (left, cross, right) => left + widths.map(width => '─'.repeat(width)).join(cross) + right;
    const row = cells => `│${cells.map((c, i) => ` ${c}`.padEnd(widths[i])).join('│')}│`;
    return [rule('┌', '┬', '┐'), row(head), rule('├', '┼', '┤'), ...grid.map(row), rule('└', '┴', '┘')].join('\n');
  };

  const label = given => given === undefined ? 'default' : beginning(`${given}`, LONGEST_LABEL);
  const elapsed = millis => millis >= 1_000 ? `${(millis / 1_000).toFixed(3)}s` : `${millis.toFixed(3)}ms`;
  const timed = (name, millis, rest) => millis < 0
    ? say('WARN', `No such label '${name}' for console.time()`)
    : say('INFO', spaced([`${name}: ${elapsed(millis)}`, ...rest.map(shown)]));

  const console = {
    log(...given) { say('INFO', format(given)); },
    info(...given) { say('INFO', format(given)); },
    debug(...given) { say('DEBUG', format(given)); },
    warn(...given) { say('WARN', format(given)); },
    error(...given) { say('ERROR', format(given)); },
    trace(...given) { host.trace(given.length === 0 ? 'Trace' : beginning(`Trace: ${format(given)}`, LONGEST_LINE)); },
    assert(holds, ...given) {
      if (!holds) say('ERROR', given.length === 0 ? 'Assertion failed' : `Assertion failed: ${format(given)}`);
    },
    dir(value, options) { say('INFO', inspect(value, Math.min(options?.depth ?? DEEPEST, 20))); },
    dirxml(...given) { say('INFO', format(given)); },
    table(rows, columns) {
      say('INFO', typeof rows === 'object' && rows !== null ? table(rows, columns) : format([rows]));
    },
    count(name) { say('INFO', `${label(name)}: ${host.count(label(name))}`); },
    countReset(name) {
      if (!host.countReset(label(name))) say('WARN', `Count for '${label(name)}' does not exist`);
    },
    time(name) {
      if (!host.time(label(name))) say('WARN', `Label '${label(name)}' already exists for console.time()`);
    },
    timeLog(name, ...given) { timed(label(name), host.elapsed(label(name), false), given); },
    timeEnd(name) { timed(label(name), host.elapsed(label(name), true), []); },
    progress(done, total) {
      if (typeof done === 'number' && typeof total === 'number'
        && done >= 0 && done <= total && total > 0 && total < Infinity) host.progress(done, total);
      else say('WARN', `console.progress takes how much is done and of how much, not ${format([done, 'of', total])}`);
    },
    group(...given) {
      if (given.length > 0) say('INFO', format(given));
      host.group(1);
    },
    groupCollapsed(...given) { console.group(...given); },
    groupEnd() { host.group(-1); },
  };
  Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });

  return {
    console,
    print(...given) { say('INFO', spaced(given.map(it => String(it)))); },
    printErr(...given) { say('ERROR', spaced(given.map(it => String(it)))); },
  };
})
