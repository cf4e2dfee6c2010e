// => undefined
[typeof this.getClass, typeof globalThis.getClass, typeof this.putMember, typeof this.shared].filter(it => it !== 'undefined').join() || undefined
