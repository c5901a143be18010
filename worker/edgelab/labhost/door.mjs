// The product's worker with a door for tests: POST /door/sql runs a statement
// on its D1 database, as /sql of the lab does.
import module from "./worker.wasm";
import { Worker } from "./worker.mjs";

const worker = new Worker(module);

const untagged = (s) => s === null ? null : s[0] === "s" ? s.slice(1) : Number(s.slice(1));
const tagged = (v) => v === null ? null : typeof v === "string" ? "s" + v : (Number.isInteger(v) ? "i" : "f") + v;

async function sql(request, env) {
  const { sql, args, exec } = await request.json();
  try {
    const statement = env.ORIGIN.prepare(sql).bind(...args.map(untagged));
    if (!exec) return Response.json({ rows: (await statement.raw()).map((row) => row.map(tagged)) });
    await statement.run();
    return Response.json({});
  } catch (e) {
    return Response.json({ error: e.message });
  }
}

export default {
  fetch: (request, env, ctx) => request.url.endsWith("/door/sql") ? sql(request, env) : worker.fetch(request, env, ctx),
};
