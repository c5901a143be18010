// Serves a folder of published files as the asset server of Workers would: no
// folder lists, no dotted names but /.well-known/, a strong ETag, 304.

const known = new Map(); // path -> { stamp, etag }

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (/\/(\.(?!well-known\/)|_headers$|_redirects$)/.test(pathname) || pathname.endsWith("/")) return missing();
    const file = await env.FILES.fetch("http://files.local" + pathname);
    const stamp = file.headers.get("last-modified"), length = file.headers.get("content-length");
    if (file.status !== 200 || length === null) { // without a length it is a folder's list
      await file.body?.cancel();
      return missing();
    }
    const { etag, body } = await tag(pathname, stamp + " " + length, file);
    const match = request.headers.get("if-none-match");
    if (match && match.split(",").some((m) => m.trim().replace(/^W\//, "") === etag)) return new Response(null, { status: 304, headers: { etag } });
    return new Response(body || file.body, { headers: { etag, "content-length": length } });
  },
};

const missing = () => new Response(null, { status: 404 });

// tag gives the ETag of a file, which is of its content. It is remembered as
// long as time and length of the file stay; where it was not known the file
// has been read and comes along.
async function tag(path, stamp, file) {
  const seen = known.get(path);
  if (seen?.stamp === stamp) return { etag: seen.etag };
  const body = new Uint8Array(await file.arrayBuffer());
  const digest = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", body))));
  const etag = '"' + digest.slice(0, 22).replaceAll("+", "-").replaceAll("/", "_") + '"';
  if (known.size >= 100_000) known.clear();
  known.set(path, { stamp, etag });
  return { etag, body };
}
