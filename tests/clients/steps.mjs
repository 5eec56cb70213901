// What both versions of the SDK do with the server.
const PAGE = 'data:text/html,<title>Here</title><h1>Hello</h1><label>Code <input></label>';

const text = (result) => result.content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');

const check = (is, what) => {
  if (!is) throw new Error(what);
};

export async function use(client) {
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  const { tools } = await client.listTools();
  check(tools.some((tool) => tool.name === 'browser_navigate'), 'no tools');
  await call('browser_navigate', { url: PAGE });
  const shown = text(await call('browser_snapshot'));
  check(shown.includes('heading "Hello"'), shown);
  const failed = await call('browser_click', { ref: 'e999' });
  check(failed.isError && text(failed).includes('Hint:'), text(failed));
  const { contents } = await client.readResource({ uri: 'page://current/snapshot' });
  check(contents[0].text.includes('Hello'), 'the resource');
  const { prompts } = await client.listPrompts();
  check(prompts.length === 3, 'the prompts');
  const typed = text(await call('browser_type', { ref: 'label:Code', text: '$ask_code(Digits)' }));
  check(typed.includes('4711'), typed);
  const unknown = await call('no_such_tool').catch((error) => error);
  check(unknown instanceof Error, 'an unknown tool');
}
