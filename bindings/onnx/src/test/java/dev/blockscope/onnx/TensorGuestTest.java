package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What JavaScript sees of a tensor, with nothing of the host open but what is meant for it. */
class TensorGuestTest {
    private final Tensor table = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
    private final Context context =
            Context.newBuilder("js")
                    .allowHostAccess(HostAccess.EXPLICIT)
                    .option("engine.WarnInterpreterOnly", "false")
                    .build();

    @BeforeEach
    void bind() {
        context.getBindings("js").putMember("t", table);
        context.getBindings("js").putMember("torch", Tensor.functions());
        context.getBindings("js").putMember("ids", Tensor.of(new long[] {7, 8}));
    }

    @AfterEach
    void close() {
        context.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    t.shape.join('x')                              | 2x3
                    JSON.stringify(t.shape)                        | [2,3]
                    t.dtype                                        | float32
                    t.length                                       | 2
                    t.size                                         | 6
                    t[1][2]                                        | 6
                    t[-1].toArray().join()                         | 4,5,6
                    t.get(0).toArray().join()                      | 1,2,3
                    t.get(-1, -1)                                  | 6
                    t.item(0, 1)                                   | 2
                    t.select(1, 0).toArray().join()                | 1,4
                    JSON.stringify(t.slice(1, 1).toArray())        | [[2,3],[5,6]]
                    t.slice(1, 0, -1).size                         | 4
                    t.transpose(0, 1).shape[0]                     | 3
                    t.T.shape[0]                                   | 3
                    t.reshape(3, 2).get(2, 0)                      | 5
                    t.reshape([6]).length                          | 6
                    t.add(2).item(0, 0)                            | 3
                    t.sub(t).sum()                                 | 0
                    t.mul([1, 10, 100]).get(1).toArray().join()    | 4,50,600
                    t.div(2).item(1, 2)                            | 3
                    t.mean()                                       | 3.5
                    t.mean(1).toArray().join()                     | 2,5
                    t.mean(1).norm() > 5.38                        | true
                    t.matmul(t.T).item(0, 0)                       | 14
                    t.cosine(t)                                    | 1
                    t.softmax(-1).sum().toFixed(5)                 | 2.00000
                    t.max() - t.min()                              | 5
                    t.to('int64').item(0, 0)                       | 1
                    ids.add(1).dtype                               | int64
                    ids[1]                                         | 8
                    t.data.length                                  | 6
                    t.data[4]                                      | 5
                    [...t].length                                  | 2
                    [...t].map(row => row.sum()).join()            | 6,15
                    Object.keys(t).includes('matmul')              | true
                    'shape' in t                                   | true
                    'shap' in t                                    | false
                    t.slice(1, null, null, -1)[0].toArray().join() | 3,2,1
                    t.slice(1, -1, -3, -1)[1].toArray().join()     | 6,5
                    t.slice(1, 0, 3, 2).shape.join()               | 2,2
                    t.flip(0)[0].toArray().join()                  | 4,5,6
                    t.index_select(1, [2, 0])[0].toArray().join()  | 3,1
                    t.gather(1, [[0], [2]]).toArray().join()       | 1,6
                    t.permute(1, 0).shape.join()                   | 3,2
                    t.unsqueeze(0).squeeze(0).shape.join()         | 2,3
                    t[0].expand(4, -1).shape.join()                | 4,3
                    t.flatten().length                             | 6
                    t.dim()                                        | 2
                    t.norm(1, true).shape.join()                   | 2,1
                    t.sum([0, 1])                                  | Tensor float32 [] [21.00]
                    t.max(0).toArray().join()                      | 4,5,6
                    t.argmax()                                     | 5
                    t.argmin(1).toArray().join()                   | 0,0
                    t.topk(2).indices.toArray()[0].join()          | 2,1
                    (([v, i]) => v[0][0] + i[0][0])(t.topk(1))     | 5
                    t.topk(1, 0, false).values.toArray()[0].join() | 1,2,3
                    t.gt(2).dtype                                  | bool
                    t.gt(2).sum()                                  | 4
                    t.gt(5).any()                                  | true
                    t.where(t.gt(2), 0).sum()                      | 18
                    t.masked_fill(t.eq(1), 9).item(0, 0)           | 9
                    t.clamp(2, 4).toArray()[0].join()              | 2,2,3
                    t.clamp(null, 4).max()                         | 4
                    t.neg().relu().sum()                           | 0
                    t.pow(2).item(1, 0)                            | 16
                    t.exp().log().sub(t).abs().max() < 1e-6        | true
                    t.maximum(3).item(0, 0)                        | 3
                    t.log_softmax(1).exp().sum().toFixed(5)        | 2.00000
                    t.cosine(t, 1).toArray().map(Math.round).join()| 1,1
                    t.new_tensor([1, 2]).dtype                     | float32
                    torch.tensor([1, 2]).dtype                     | int64
                    torch.tensor([[1, 0.5]]).shape.join()          | 1,2
                    torch.tensor([1, 2], 'float16').dtype          | float16
                    torch.zeros(2, 3).add(torch.ones(3)).sum()     | 6
                    torch.full([2], 7).toArray().join()            | 7,7
                    torch.arange(3).toArray().join()               | 0,1,2
                    torch.arange(5, 0, -2).toArray().join()        | 5,3,1
                    torch.cat([t, t]).shape.join()                 | 4,3
                    torch.stack([t, t], -1).shape.join()           | 2,3,2
                    torch.where(t.gt(3), 1, 0).toArray()[1].join() | 1,1,1
                    ids.new_zeros(2, 2).toArray().join()           | 0,0,0,0
                    ids.new_full([2], 3).toArray().join()          | 3,3
                    ids.mul([1, 2]).dtype                          | int64
                    ids.add([0.5, 1]).dtype                        | float32
                    ids.eq([7, 9]).toArray().join()                | true,false
                    t.clone().fill_(0).sum() + t.sum()             | 21
                    String(t)                                      | Tensor float32 [2, 3] [1.000, 2.000, 3.000, 4.000, 5.000, 6.000]
                    """)
    void answers(String expression, String expected) {
        assertThat(context.eval("js", expression).toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    t.add_(1)               | 2,3,4,5,6,7
                    t.mul_(t)               | 1,4,9,16,25,36
                    t[0] = 0                | 0,0,0,4,5,6
                    t[-1] = [9, 8, 7]       | 1,2,3,9,8,7
                    t[0][2] = 50            | 1,2,50,4,5,6
                    t[1] = t[0]             | 1,2,3,1,2,3
                    t.data[3] = -1          | 1,2,3,-1,5,6
                    t.copy_([[0], [1]])     | 0,0,0,1,1,1
                    t.select(1, 1).fill_(0) | 1,0,3,4,0,6
                    t.masked_fill_(t.gt(4), 0) | 1,2,3,4,0,0
                    t.clamp_(2, 5)          | 2,2,3,4,5,5
                    t.slice(1, null, null, -1)[0] = [7, 8, 9] | 9,8,7,4,5,6
                    t.T[0] = 0              | 0,2,3,0,5,6
                    t[0].neg_()             | -1,-2,-3,4,5,6
                    t.zero_()               | 0,0,0,0,0,0
                    """)
    void changesTheTensorItself(String statement, String expected) {
        int before = table.storage().changes();

        context.eval("js", statement);

        assertThat(context.eval("js", "t.reshape(6).toArray().join()").asString())
                .isEqualTo(expected);
        assertThat(table.storage().changes()).isGreaterThan(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    t.add()           | tensor.add takes 1 arguments, 0 were given
                    t.add('x')        | tensor.add: argument 1 is "x", expected a tensor, a number or an array of numbers
                    t.add([1, 2])     | shapes [2, 3] and [2] do not fit each other
                    t.add([[1], []])  | tensor.add: argument 1 is
                    t.mean(0.5)       | tensor.mean: argument 1 is 0.5, expected a whole number
                    t.mean(7)         | dimension 7 is out of range for shape [2, 3], expected -2 to 1
                    t.to('floaty')    | no element type is named "floaty"
                    t.shape = 3       | "shape" of a tensor cannot be set
                    t[0] = [1, 2]     | shape [2] cannot be broadcast to shape [3]
                    t.slice(0, 0, 1, 0) | a slice of shape [2, 3] has step 0
                    t.permute(0, 0)   | [0, 0] is no order of the 2 dimensions of shape [2, 3]
                    t.sum(0, 1)       | tensor.sum: argument 2 is 1, expected true or false
                    t.masked_fill(t, 0) | masked_fill needs a mask of bool, given float32 [2, 3]
                    t.topk(4)         | topk(4) along dimension -1 of shape [2, 3], expected 0 to 3
                    t[0].expand(2, 3).fill_(0) | that was expanded cannot be changed
                    t.gather(1, [[3]]) | index 3 is out of range for shape [3]
                    t.gather(1, [0])  | indices of shape [1] do not fit a tensor of shape [2, 3]
                    t.matmul([1, 2])  | shapes [2, 3] and [2] cannot be multiplied as matrices
                    t.new_tensor(['a']) | tensor.new_tensor: argument 1 is
                    torch.cat([1])    | expected an array of tensors
                    torch.cat = 3     | "cat" cannot be set
                    torch.tensor([[1], 2]) | expected a tensor, a number or an array of numbers, nested evenly
                    t.topk(1).values = 3 | "values" of the result of topk cannot be set
                    """)
    void complainsKindly(String statement, String message) {
        assertThatThrownBy(() -> context.eval("js", statement))
                .isInstanceOf(PolyglotException.class)
                .hasMessageContaining(message);
    }

    @Test
    void comesBackAsTheSameObject() {
        Value value = context.eval("js", "t");

        assertThat(value.isProxyObject()).isTrue();
        assertThat((Object) value.asProxyObject()).isSameAs(table);
    }
}
