# orjson, jmespath, orjson. The argument is the expression. Reads a length, the document, then numbers of repetitions;
# answers each with nanoseconds of processor time, and 0 with the answer.
import sys
import time

import jmespath
import orjson

expression = jmespath.compile(sys.argv[1])
document = sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))


def answer():
    return orjson.dumps(expression.search(orjson.loads(document)))


for line in sys.stdin.buffer:
    if int(line) == 0:
        print(answer().decode(), flush=True)
        continue
    start = time.process_time_ns()
    for _ in range(int(line)):
        answer()
    print(time.process_time_ns() - start, flush=True)
