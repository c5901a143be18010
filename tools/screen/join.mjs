// Joins a corpus with entries by their keys in DuckDB, with two threads, and
// prints how many rows match and the wall and CPU seconds it took, each the
// least of three runs. Usage: node join.mjs CORPUS.parquet ENTRIES.parquet
import { DuckDBInstance } from '@duckdb/node-api';

const [corpus, entries] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
const question = `SELECT count(*) AS rows FROM read_parquet('${corpus}') AS c JOIN read_parquet('${entries}') AS e ON e.url_sha256 = c.url_sha256`;
let seconds = Infinity;
let cpu = Infinity;
let rows = 0;
for (let i = 0; i < 3; i += 1) {
  const begun = process.hrtime.bigint();
  const used = process.cpuUsage();
  [[rows]] = (await connection.runAndReadAll(question)).getRows();
  seconds = Math.min(seconds, Number(process.hrtime.bigint() - begun) / 1e9);
  const { user, system } = process.cpuUsage(used);
  cpu = Math.min(cpu, (user + system) / 1e6);
}
console.log(JSON.stringify({ rows: Number(rows), seconds, cpu }));
