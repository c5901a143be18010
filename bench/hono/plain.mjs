// Published files by hand in plain JavaScript: what a citation and a record are
// measured beside.
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const file = await env.ASSETS.fetch("https://assets.local" + pathname + ".json");
    if (file.status !== 200) return new Response('{"code":"entry_not_found"}', { status: 404, headers: { "content-type": "application/problem+json" } });
    return new Response(file.body, { headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=300, stale-while-revalidate=86400",
      "etag": file.headers.get("etag"),
    } });
  },
};
