import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Passes TCP connections on, and cuts one after each of the budgets (bytes of answers), one after the other; later
 * connections stay whole. A budget of 0 lets the service answer and the client not see any of it.
 */
export async function startCutter(target: string, ...budgets: number[]): Promise<{ base: string; cuts: () => number; close: () => void }> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    const ends = [incoming, outgoing];
    for (const socket of ends) {
      sockets.add(socket);
      socket.on("error", () => {}); // the other end is gone, as the test intends
      socket.on("close", () => ends.forEach((s) => s.destroy()));
    }
    incoming.pipe(outgoing);
    const budget = budgets.shift();
    let passed = 0;
    outgoing.on("data", (chunk: Buffer) => {
      if (budget === undefined || passed + chunk.length < budget) {
        passed += chunk.length;
        incoming.write(chunk);
        return;
      }
      if (ends.some((s) => s.destroyed)) return;
      cuts++;
      incoming.write(chunk.subarray(0, budget - passed), () => ends.forEach((s) => s.destroy()));
      outgoing.pause();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: () => cuts, close };
}
