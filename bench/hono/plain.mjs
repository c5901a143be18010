// Serves published files with a few lines of plain JavaScript, as the reference
// for the cost of a citation and a record.
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
