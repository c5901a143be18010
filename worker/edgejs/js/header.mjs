// A header crosses the border as one string: name, line feed, value, line feed.

export function toBlock(headers) {
  let s = "";
  headers.forEach((value, name) => { s += name + "\n" + value + "\n"; });
  return s;
}

// Answers repeat their headers, so the parsed ones are kept, up to a bound.
const seen = new Map();

// fromBlock gives the headers of a block, whether a type is among them, and
// their tag.
export function fromBlock(block) {
  let head = seen.get(block);
  if (head === undefined) {
    const headers = new Headers(), parts = block.split("\n");
    for (let i = 0; i + 1 < parts.length; i += 2) headers.append(parts[i], parts[i + 1]);
    head = { headers, typed: headers.has("content-type"), tag: headers.get("etag") };
    if (seen.size >= 256) seen.clear();
    seen.set(block, head);
  }
  return head;
}

// The platform compresses answers by itself, after the worker. Then one tag
// would name two representations, which a strong one must not.

const mayCompress = (request) => {
  const takes = request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding");
  return takes && takes !== "identity";
};

// tagFor gives a tag as the answer to that request may have it.
export function tagFor(request, tag) {
  return tag.startsWith('"') && mayCompress(request) ? "W/" + tag : tag;
}
