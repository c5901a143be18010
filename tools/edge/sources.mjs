// sources.mjs: reads the output of "tinygo list -deps -json" and prints the
// names of the files that are compiled, except those of Go and TinyGo
// themselves.
import { join } from "node:path";
import { text } from "node:stream/consumers";

for (const listed of (await text(process.stdin)).split(/^(?=\{$)/m)) {
  const p = JSON.parse(listed);
  if (p.Standard) continue;
  for (const files of [p.GoFiles, p.CgoFiles, p.CFiles, p.SFiles, p.EmbedFiles]) {
    for (const name of files ?? []) console.log(join(p.Dir, name));
  }
}
