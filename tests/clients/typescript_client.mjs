// The TypeScript SDK, version 2, against the server: `typescript_client.mjs stdio PROGRAM` or `… http URL`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { use } from './steps.mjs';

const [kind, where] = process.argv.slice(2);
const transport =
  kind === 'stdio'
    ? new StdioClientTransport({ command: where })
    : new StreamableHTTPClientTransport(new URL(where));
const client = new Client({ name: 'typescript-2', version: '1' }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: '4711' } }));
await client.connect(transport);
await use(client);
await client.close();
console.log('ok');
