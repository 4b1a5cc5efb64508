/**
 * The loop of an agent in one process: the MCP server has the tools, and `choose` decides which tool to call. Here `choose` is a
 * script, so that the example runs without a model. Replace it with a call to your model.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node agent-loop.ts --number MSCU1234566
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { TrackingClient } from 'container-tracking-sdk';
import type { ContainerDetails, SearchContainerResult } from 'container-tracking-sdk/mcp';
import { createMcpServer } from 'container-tracking-sdk/mcp-server';

const { values } = parseArgs({ options: { number: { type: 'string' } } });
if (!values.number?.trim()) {
  console.error('Pass the number of a container, for example: --number MSCU1234566');
  process.exit(2);
}

/** The choice of the model: a tool, or a text for the user. */
type Choice = { tool: string; arguments: Record<string, unknown> } | { answer: string };

interface Step {
  tool: string;
  /** The text that a model reads. */
  text: string;
  result: unknown;
}

/** The latest result of a tool. Its form is the `outputSchema` of the tool, which the server guarantees. */
function resultOf<Result>(steps: Step[], name: string): Result | undefined {
  return steps.findLast(({ tool }) => tool === name)?.result as Result | undefined;
}

/** Replaces a model. A real model would get the tools, the question and the previous steps. */
function choose(number: string, _tools: string[], steps: Step[]): Choice {
  const found = resultOf<SearchContainerResult>(steps, 'search_container');
  if (!found) return { tool: 'search_container', arguments: { query: number } };
  const [container] = found.containers;
  const tracked = steps.find(({ tool }) => tool === 'track_container');
  if (!container && !tracked) return { tool: 'track_container', arguments: { number } };
  if (!container) return { answer: `${number} was not tracked before. Tracking has begun: ask again in some minutes.` };
  const details = resultOf<ContainerDetails>(steps, 'get_container');
  if (!details) return { tool: 'get_container', arguments: { id: container.id } };
  const { status, demurrage } = details;
  return { answer: `${number} is ${status}. Last free day: ${demurrage.pickup_lfd_local} (${demurrage.urgency}).` };
}

async function main(number: string): Promise<void> {
  const server = createMcpServer({ client: new TrackingClient() });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const { tools } = await client.listTools();

  const steps: Step[] = [];
  for (let rounds = 0; rounds < 10; rounds += 1) {
    const choice = choose(
      number,
      tools.map(({ name }) => name),
      steps,
    );
    if ('answer' in choice) {
      console.log(choice.answer);
      break;
    }
    console.log(`→ ${choice.tool} ${JSON.stringify(choice.arguments)}`);
    const { content, structuredContent, isError } = await client.callTool({
      name: choice.tool,
      arguments: choice.arguments,
    });
    const text = content[0]?.type === 'text' ? content[0].text : '';
    if (isError) {
      // `error` is the kind of the failure. `retry_after_seconds` is the time to wait, if waiting helps.
      const { error, message, retry_after_seconds } = JSON.parse(text);
      if (error !== 'rate_limited') throw new Error(message);
      await sleep(retry_after_seconds * 1_000);
      continue;
    }
    steps.push({ tool: choice.tool, text, result: structuredContent });
  }
  await client.close();
}

await main(values.number);
