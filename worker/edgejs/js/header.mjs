// A header is passed to and from Go as one string: name, line feed, value, line
// feed.

export function toBlock(headers) {
  let s = "";
  headers.forEach((value, name) => { s += name + "\n" + value + "\n"; });
  return s;
}

// Answers repeat their headers, so parsed ones are cached, up to a limit.
const seen = new Map();

// fromBlock returns the headers of a block, whether a content type is among
// them, and the entity tag.
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

// The platform compresses answers after the worker. One tag would then name two
// representations, which a strong tag must not do.

const mayCompress = (request) => {
  const takes = request.cf?.clientAcceptEncoding ?? request.headers.get("accept-encoding");
  return takes && takes !== "identity";
};

// tagFor returns a tag as the answer to that request may have it.
export function tagFor(request, tag) {
  return tag.startsWith('"') && mayCompress(request) ? "W/" + tag : tag;
}
