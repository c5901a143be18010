// One read of the origin behind Hono, as the reference for the cost of a rights
// check.
import { Hono } from "hono";

const page = `SELECT p.entry_id, p.canonical_url, p.title, p.state, s.site_id, s.name
  FROM pages p JOIN sites s ON s.site_id = p.site_id WHERE p.entry_id = ?1`;

const app = new Hono();

app.get("/v1/public/rights/check", async (c) => {
  const row = await c.env.ORIGIN.prepare(page).bind(c.req.query("entry_id")).first();
  if (!row) return c.json({ code: "entry_not_found", grants_rights: false, status: 404 }, 404);
  return c.json({ ...row, grants_rights: false }, 200, { "cache-control": "private, no-store" });
});

export default app;
