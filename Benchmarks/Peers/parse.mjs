// Node: JSON.parse and JSON.stringify, from bytes to bytes. Reads a length, the document, then numbers of repetitions.
import fs from "node:fs";

let input = Buffer.alloc(0);
const chunk = Buffer.alloc(1 << 20);

function readMore() {
  const count = fs.readSync(0, chunk);
  if (count === 0) process.exit(0);
  input = Buffer.concat([input, chunk.subarray(0, count)]);
}

function readLine() {
  while (!input.includes("\n")) readMore();
  const end = input.indexOf("\n");
  const line = input.toString("utf8", 0, end);
  input = input.subarray(end + 1);
  return line;
}

function readBytes(length) {
  while (input.length < length) readMore();
  const bytes = Buffer.from(input.subarray(0, length));
  input = input.subarray(length);
  return bytes;
}

const document = readBytes(Number(readLine()));
let answer;
for (;;) {
  const count = Number(readLine());
  const start = process.cpuUsage();
  for (let turn = 0; turn < count; turn += 1) answer = Buffer.from(JSON.stringify(JSON.parse(document.toString())));
  const { user, system } = process.cpuUsage(start);
  fs.writeSync(1, `${(user + system) * 1000}\n`);
}
