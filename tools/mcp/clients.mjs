// Calls the three endpoints with the official TypeScript clients, in each way
// that they can be configured to connect.
import assert from 'node:assert/strict';

import * as v2 from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { endpoints } from './conformance.mjs';

const info = { name: 'colophon-check', version: '1' };

// ways lists clients and modes; era is the protocol version that each must end
// up with.
const ways = [
  { name: 'client 2.4.0 pinned', era: '2026-07-28', client: () => new v2.Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), transport: v2.StreamableHTTPClientTransport },
  { name: 'client 2.4.0 automatic', era: '2026-07-28', client: () => new v2.Client(info, { versionNegotiation: { mode: 'auto' } }), transport: v2.StreamableHTTPClientTransport },
  { name: 'client 2.4.0 default', era: '2025-11-25', client: () => new v2.Client(info), transport: v2.StreamableHTTPClientTransport },
  { name: 'sdk 1.32.2', era: '2025-11-25', client: () => new Client1(info), transport: Transport1 },
];

// calls returns, for each endpoint, the calls that must succeed and those that
// must be answered by an error result.
const calls = ({ site, category, q, fixture, topic = q }) => ({
  public: [
    ['search_content_catalog', { q, limit: 3 }],
    ['list_marketplace_categories', {}],
    ['get_marketplace_category', { category_slug: category }],
    ['list_marketplace_publishers', { limit: 1 }],
    ['get_publisher', { site_id: site }],
    ['get_publisher_inventory', { site_id: site }],
    ['get_publisher_inventory', { site_id: site, q, limit: 2, offset: 2 }],
    ['get_network_stats', {}],
    ...(fixture ? [] : [['check_rights', { url: `https://${site}.example/` }]]), // the fixture finds no address
    ['search_content_catalog', { q, limit: '3' }],
  ],
  publisher: [['get_publisher', {}], ['get_publisher_inventory', { q }], ['check_rights', {}]],
  gateway: [['rights_overview', {}], ['list_licensed_sources', {}], ['search_licensed_content', { q: topic }]],
});

const refused = {
  public: [['search_content_catalog', {}], ['get_publisher', { site_id: 'nobody-here' }]],
  publisher: [['get_publisher_inventory', { limit: 1000 }]],
  gateway: [['search_licensed_content', { q: 'tide', use: 'copying' }]],
};

async function connected(way, url, token, visit) {
  const requestInit = token ? { headers: { Authorization: `Bearer ${token}` } } : undefined;
  const client = way.client();
  await client.connect(new way.transport(new URL(url), { requestInit }));
  try {
    await visit(client);
  } finally {
    await client.close();
  }
}

function negotiated(client) {
  return client.getNegotiatedProtocolVersion?.() ?? client.transport.protocolVersion;
}

async function visit(way, kind, client, sample) {
  const good = calls(sample)[kind];
  assert.equal(negotiated(client), way.era);
  assert.equal(client.getServerVersion().name, 'colophon');
  assert.ok(client.getInstructions().length > 0);
  const { tools } = await client.listTools();
  const names = [...new Set(good.map(([name]) => name))];
  for (const t of tools) assert.equal(t.outputSchema?.type, 'object', t.name);
  assert.deepEqual(tools.map((t) => t.name).filter((n) => names.includes(n)), names);
  for (const [name, args] of good) {
    // The client validates the result against the tool's output schema.
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
    assert.deepEqual(JSON.parse(result.content[1].text), result.structuredContent);
    if (kind !== 'gateway') assert.equal(result.structuredContent.grants_rights, false);
  }
  if (kind === 'gateway') await licensed(client, sample);
  for (const [name, args] of refused[kind]) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, true, name);
    assert.equal(JSON.parse(result.content[1].text).grants_rights, false);
  }
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), (e) => e.code === -32602);
  await client.callTool({ name: good[0][0], arguments: good[0][1] }); // the connection still works
}

// shape lists the names of all members, without those that change from moment
// to moment.
function shape(v, at = '') {
  if (Array.isArray(v)) return v.length > 0 ? shape(v[0], `${at}[]`) : [];
  if (v === null || typeof v !== 'object') return [at];
  return Object.entries(v).flatMap(([name, member]) => shape(member, `${at}.${name}`));
}

// licensed checks that what the gateway returns is an item of the REST
// delivery, with the address at which it can be read.
async function licensed(client, { base, token, item, topic, q }) {
  const found = (await client.callTool({ name: 'search_licensed_content', arguments: { q: topic ?? q } })).structuredContent;
  assert.ok(found.data.length > 0, 'no licensed item was found');
  const { uri } = found.data[0];
  const read = await client.callTool({ name: 'read_licensed_content', arguments: { uri } });
  assert.ok(!read.isError, JSON.stringify(read));
  assert.equal(read.structuredContent.uri, uri);
  assert.ok(read.structuredContent.content.text.length > 0);
  if (!item) return;
  const get = async (more) => (await fetch(`${base}/v1/rag-delivery/items?limit=200${more}`, { headers: { Authorization: `Bearer ${token}` } })).json();
  const of = (list, id) => list.data.find((i) => i.entry_id === id);
  const meta = await get(`&fields=meta&source_id=${found.data[0].site_id}`);
  assert.deepEqual(shape({ ...of(meta, found.data[0].entry_id), uri }).sort(), shape(found.data[0]).sort());
  assert.deepEqual(Object.keys(found).sort(), Object.keys(meta).sort());
  const full = of(await get(`&source_id=${found.data[0].site_id}&q=${encodeURIComponent(topic)}`), read.structuredContent.entry_id);
  assert.deepEqual(full.content, read.structuredContent.content);
  assert.deepEqual(full.metadata, read.structuredContent.metadata);
}

// sameAsRest checks that a tool and the REST endpoint that it adapts give the
// same answer.
async function sameAsRest({ base, site, q }) {
  const rpc = async (name, args) => {
    const response = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    });
    return (await response.json()).result.content[1].text;
  };
  const topic = encodeURIComponent(q);
  for (const [path, name, args] of [
    [`/v1/public/content-catalog/search?q=${topic}&limit=3`, 'search_content_catalog', { q, limit: 3 }],
    [`/v1/licensing-marketplace/publishers/${site}`, 'get_publisher', { site_id: site }],
    [`/v1/licensing-marketplace/publishers/${site}/content-inventory`, 'get_publisher_inventory', { site_id: site }],
    [`/v1/licensing-marketplace/publishers/${site}/content-inventory?q=${topic}&limit=2&offset=0`, 'get_publisher_inventory', { site_id: site, q, limit: 2 }],
    ['/v1/public/network-stats', 'get_network_stats', {}],
  ]) {
    const rest = await fetch(base + path);
    if (rest.status === 503 && path.includes('?')) continue; // the fixture has no search index
    assert.equal(await rpc(name, args), await rest.text(), path);
  }
}

async function resources(client, denied) {
  const { resources: list } = await client.listResources();
  assert.ok(list.length > 0);
  const { contents } = await client.readResource({ uri: list[0].uri });
  assert.equal(contents[0].uri, list[0].uri);
  assert.ok(contents[0].text.length > 0);
  await assert.rejects(client.readResource({ uri: 'licensed://nobody/ent_x' }), (e) => e.code === -32602);
  if (denied) await assert.rejects(client.readResource({ uri: denied }));
  const { contents: again } = await client.readResource({ uri: list[0].uri });
  assert.equal(again[0].text, contents[0].text);
}

// unregistered checks that a client that supports OAuth learns that there is
// none before it tries to register.
async function unregistered(way, url) {
  const asked = [];
  const traced = async (address, options) => {
    asked.push(`${options?.method ?? 'GET'} ${new URL(address).pathname}`);
    return fetch(address, options);
  };
  const nothing = () => undefined;
  const authProvider = {
    redirectUrl: 'http://127.0.0.1/callback', clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'], client_name: info.name },
    clientInformation: nothing, saveClientInformation: nothing, tokens: nothing, saveTokens: nothing, saveCodeVerifier: nothing, codeVerifier: () => 'v',
    redirectToAuthorization: () => asked.push('redirect'),
  };
  const client = way.client();
  await client.connect(new way.transport(new URL(url), { authProvider, fetch: traced }));
  await assert.rejects(client.callTool({ name: 'rights_overview', arguments: {} }), /501/);
  assert.ok(asked.includes('GET /.well-known/oauth-protected-resource/mcp/gateway'), asked.join());
  assert.ok(!asked.includes('POST /register') && !asked.includes('redirect'), asked.join());
}

export async function clients(sample) {
  const { base, site, token, denied } = sample;
  const paths = endpoints(site);
  const failures = [];
  let done = 0;
  const check = async (label, f) => {
    done++;
    await f().catch((e) => failures.push(`${label}: ${e.message.slice(0, 500)}`));
  };
  await check('tools beside REST', () => sameAsRest(sample));
  for (const way of ways) {
    for (const kind of ['public', 'publisher']) {
      await check(`${way.name} at ${paths[kind]}`, () => connected(way, base + paths[kind], undefined, (c) => visit(way, kind, c, sample)));
    }
    const gateway = base + paths.gateway;
    if (token) await check(`${way.name} at the gateway`, () => connected(way, gateway, token, async (c) => {
      await visit(way, 'gateway', c, sample);
      await resources(c, denied);
    }));
    await check(`${way.name} at the gateway without a credential`, () => connected(way, gateway, undefined, async (c) => {
      assert.ok((await c.listTools()).tools.length === 4);
      await assert.rejects(c.callTool({ name: 'rights_overview', arguments: {} }), /401|nauthorized|credential/i);
      assert.ok((await c.listTools()).tools.length === 4);
    }));
    await check(`${way.name} at the gateway, ready for OAuth`, () => unregistered(way, gateway));
    if (token) await check(`${way.name} at the gateway with a bad credential`, () => assert.rejects(connected(way, gateway, 'byr_test_wrong', async (c) => c.listTools()), /401|nauthorized|credential/i));
    await check(`${way.name} at an unknown publisher`, () => assert.rejects(connected(way, `${base}/mcp/publisher/nobody-here`, undefined, async (c) => c.listTools())));
  }
  console.log(`TypeScript clients: ${done} visits, ${failures.length} failed`);
  return failures;
}
