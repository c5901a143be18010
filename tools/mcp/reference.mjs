// The official TypeScript server with one tool that answers as the worker's
// get_publisher does, as the reference for the benchmark. It takes the schemas
// of the tool and the record from a running worker, keeps the record in memory,
// and prints its address.
//
// usage: node reference.mjs BASE SITE
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler, fromJsonSchema } from '@modelcontextprotocol/server';

const [base, site] = process.argv.slice(2);

async function rpc(method, params) {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()).result;
}

const { tools } = await rpc('tools/list', {});
const tool = tools.find((t) => t.name === 'get_publisher');
const answer = await rpc('tools/call', { name: tool.name, arguments: { site_id: site } });
const sentence = answer.content[0].text;
const records = new Map([[site, answer.structuredContent]]);
const inputSchema = fromJsonSchema(tool.inputSchema);
const outputSchema = fromJsonSchema(tool.outputSchema);

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'reference', version: '1' });
  const { title, description, annotations } = tool;
  server.registerTool(tool.name, { title, description, inputSchema, outputSchema, annotations }, async ({ site_id: id }) => {
    const record = records.get(id);
    return { content: [{ type: 'text', text: sentence }, { type: 'text', text: JSON.stringify(record) }], structuredContent: record, _meta: answer._meta };
  });
  return server;
});

const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit(0)).resume();
