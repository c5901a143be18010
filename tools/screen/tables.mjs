// Reads the tables of a release with programs from elsewhere: the
// documentation's SQL in DuckDB, on a folder, and the same count and one key
// with hyparquet, over HTTP by Range. Usage: node tables.mjs DOCUMENTATION.md
// FOLDER CORPUS.parquet ADDRESS KEY. Prints JSON.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

const [page, folder, corpus, address, key] = process.argv.slice(2);
const tables = 'v1/public/release/';

async function askDuckDB() {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const statements = [...readFileSync(page, 'utf8').matchAll(/```sql\n([^]*?)```/g)].map((m) => m[1]);
  const answers = [];
  for (const text of statements) {
    const here = text.replaceAll('mirror/current/', `${folder}/`).replaceAll('corpus.parquet', corpus);
    const rows = (await connection.runAndReadAll(here)).getRowObjectsJson();
    answers.push(rows);
  }
  return answers;
}

// open returns a file over HTTP and counts the bytes that are requested.
async function open(name, asked) {
  const file = await asyncBufferFromUrl({ url: `${address}/${tables}${name}` });
  return {
    byteLength: file.byteLength,
    slice(start, end = file.byteLength) {
      asked.bytes += end - start;
      asked.requests += 1;
      return file.slice(start, end);
    },
  };
}

const entries = readdirSync(join(folder, tables, 'entries')).map((name) => `entries/${name}`);
const footer = 1 << 13; // how much of the end of a file to read first
const hex = (bytes) => Buffer.from(bytes).toString('hex');

async function countByPublisher() {
  const asked = { bytes: 0, requests: 0 };
  const pages = {};
  for (const name of entries) {
    const file = await open(name, asked);
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: footer });
    for (const row of await parquetReadObjects({ file, metadata, columns: ['site'], compressors })) {
      pages[row.site] = (pages[row.site] ?? 0) + 1;
    }
  }
  return { pages, ...asked };
}

// findKey reads only the file that can hold a key, and in it only the row group
// whose statistics admit the key.
async function findKey() {
  const asked = { bytes: 0, requests: 0 };
  const bits = Math.log2(entries.length);
  const part = bits === 0 ? 0 : parseInt(key.slice(0, 8), 16) >>> (32 - bits);
  const digits = Math.max(1, Math.ceil(bits / 4));
  const file = await open(`entries/${part.toString(16).padStart(digits, '0')}.parquet`, asked);
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: footer });
  let first = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const { min_value: least, max_value: most } = group.columns[0].meta_data.statistics;
    if (hex(least) <= key && key <= hex(most)) {
      const range = { file, metadata, compressors, rowStart: first, rowEnd: first + rows, utf8: false };
      const keys = await parquetReadObjects({ ...range, columns: ['url_sha256'] });
      const at = keys.findIndex((row) => hex(row.url_sha256) === key);
      if (at >= 0) {
        const columns = ['site', 'rights_vector'];
        const [row] = await parquetReadObjects({ ...range, columns, rowStart: first + at, rowEnd: first + at + 1 });
        return { row, ...asked };
      }
    }
    first += rows;
  }
  return { row: null, ...asked };
}

const [joined, named] = await askDuckDB();
console.log(JSON.stringify({ joined, named, counted: await countByPublisher(), found: await findKey() }));
