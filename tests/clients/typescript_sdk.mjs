// The TypeScript SDK, version 1, against the server: `typescript_sdk.mjs stdio PROGRAM` or `… http URL`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { use } from './steps.mjs';

const [kind, where] = process.argv.slice(2);
const transport =
  kind === 'stdio'
    ? new StdioClientTransport({ command: where })
    : new StreamableHTTPClientTransport(new URL(where));
const client = new Client({ name: 'typescript-1', version: '1' }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { answer: '4711' } }));
let updates = 0;
client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void updates++);
await client.connect(transport);
await use(client);

// A change of the page updates the subscription.
await client.subscribeResource({ uri: 'page://current/snapshot' });
await client.callTool({ name: 'browser_evaluate', arguments: { function: "() => void document.body.append('more')" } });
const until = Date.now() + 20_000;
while (updates === 0 && Date.now() < until) await new Promise((next) => setTimeout(next, 50));
if (updates === 0) throw new Error('no update of a subscription');

if (kind === 'http') await transport.terminateSession();
await client.close();
console.log('ok');
