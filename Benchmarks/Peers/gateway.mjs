// Node: fetch, parse, stringify. It repairs, renames and converts nothing.
import http from "node:http";

const [port, upstream] = process.argv.slice(2).map(Number);
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

function fetchDocument(done) {
  const options = { host: "127.0.0.1", port: upstream, path: "/forecast/-/37.8267,-122.4233", agent };
  http.get(options, (answer) => {
    const chunks = [];
    answer.on("data", (chunk) => chunks.push(chunk));
    answer.on("end", () => done(JSON.parse(Buffer.concat(chunks).toString())));
  });
}

http.createServer((request, response) => {
  fetchDocument((document) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(document));
  });
}).listen(port, "127.0.0.1");
