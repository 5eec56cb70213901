"""The Python SDK against the server: `python_sdk.py stdio PROGRAM` or `python_sdk.py http URL`."""

import asyncio
import contextlib
import sys
import urllib.request

from mcp import ClientSession, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client

PAGE = "data:text/html,<title>Here</title><h1>Hello</h1><label>Code <input></label>"


@contextlib.asynccontextmanager
async def streams(kind, where):
    if kind == "stdio":
        async with stdio_client(StdioServerParameters(command=where)) as (read, write):
            yield read, write
    else:
        async with streamable_http_client(where) as (read, write, *_):
            yield read, write


async def answer(_context, params):
    assert "Digits" in params.message, params
    if params.mode == "url":
        # The person opens the page and answers there.
        await asyncio.to_thread(answer_on_page, params.url)
        return types.ElicitResult(action="accept")
    return types.ElicitResult(action="accept", content={"answer": "4711"})


def answer_on_page(url):
    with urllib.request.urlopen(url, timeout=20) as page:
        assert b"<img" in page.read()
    with urllib.request.urlopen(url, data=b"answer=4711", timeout=20) as page:
        assert b"Thank you" in page.read()


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


async def main(kind, where):
    steps = []

    async def on_progress(done, total, message):
        steps.append((done, total, message))

    async with streams(kind, where) as (read, write):
        async with ClientSession(read, write, elicitation_callback=answer) as session:
            await session.initialize()
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert "browser_navigate" in names, names
            await session.call_tool("browser_navigate", {"url": PAGE})
            shown = text(await session.call_tool("browser_snapshot", {}))
            assert 'heading "Hello"' in shown, shown
            failed = await session.call_tool("browser_click", {"ref": "e999"})
            assert "e999" in text(failed) and "Hint:" in text(failed), failed
            read_back = await session.read_resource("page://current/snapshot")
            assert "Hello" in read_back.contents[0].text, read_back
            assert len((await session.list_prompts()).prompts) == 3
            asked = {"ref": "label:Code", "text": "$ask_code(Digits)"}
            typed = text(await session.call_tool("browser_type", asked))
            assert "4711" in typed, typed
            waited = {"time": 1.5}
            await session.call_tool("browser_wait_for", waited, progress_callback=on_progress)
            assert steps, "no progress"
            with contextlib.suppress(Exception):
                await session.call_tool("no_such_tool", {})
                raise SystemExit("an unknown tool was called")
            await session.send_ping()


asyncio.run(asyncio.wait_for(main(*sys.argv[1:3]), 100))
print("ok")
