// boot.mjs FOLDER: prints what it costs to start an instance of the worker in
// FOLDER, to fork one from the boot image, and to reset one to it.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const from = (name) => import(pathToFileURL(folder + "/" + name));
const { Pool } = await from("pool.mjs");
const module = new WebAssembly.Module(readFileSync(folder + "/worker.wasm"));

const pool = new Pool(module, { BASE_URL: "https://boot.example", SERVICE_SECRET: "A".repeat(43) });
pool.start();
const [instance] = pool.idle;

function median(times, f) {
  const all = [];
  for (let i = 0; i < times; i++) {
    const t = performance.now();
    f();
    all.push(performance.now() - t);
  }
  return all.sort((a, b) => a - b)[times >> 1];
}

const boot = median(50, () => pool.makeFresh());
const fork = median(50, () => pool.make());
const reset = median(500, () => pool.image.restore(instance));
const ms = (x) => x.toFixed(2) + " ms";
console.log(`boot of an instance ${ms(boot)}, fork from the image ${ms(fork)}, reset ${(reset * 1000).toFixed(0)} us; image ${(pool.image.memory.length / 1024).toFixed(0)} KiB, memory ${(instance.host.bytes.length / 1024).toFixed(0)} KiB`);
