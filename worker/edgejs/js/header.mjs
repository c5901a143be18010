// A header crosses the border as one string: name, line feed, value, line feed.

export function toBlock(headers) {
  let s = "";
  for (const [name, value] of headers) s += name + "\n" + value + "\n";
  return s;
}

// Answers repeat their headers, so the parsed ones are kept, up to a bound.
const seen = new Map();

export function fromBlock(block) {
  let headers = seen.get(block);
  if (headers === undefined) {
    headers = new Headers();
    const parts = block.split("\n");
    for (let i = 0; i + 1 < parts.length; i += 2) headers.append(parts[i], parts[i + 1]);
    if (seen.size >= 256) seen.clear();
    seen.set(block, headers);
  }
  return headers;
}
