/**
 * Tools, resources and prompts that the checks of the protocol call by name. They return responses of every possible
 * form. They are registered beside the tracking tools, so the checks pass through the same server and the same HTTP
 * code.
 */
import { inputRequired } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { type McpServer, ResourceTemplate } from '../src/mcp-server/protocol.ts';
import { argumentsSchema } from '../src/mcp-server/schema.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const FIXTURE = { description: 'A fixture of the conformance suite.' };

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});
const pause = () => new Promise(resolve => setTimeout(resolve, 50));

export function addFixtures(server: McpServer): void {
  addTools(server);
  addQuestions(server);
  addResources(server);
  addPrompts(server);
}

function addTools(server: McpServer): void {
  const CONTENTS = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(CONTENTS)) server.registerTool(name, FIXTURE, () => ({ content }));
  server.registerTool('test_error_handling', FIXTURE, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', FIXTURE, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await pause();
    }
    return { content: [text('Done.')] };
  });
}

/** Tools that send questions or log messages to the client. */
function addQuestions(server: McpServer): void {
  const message = { role: 'user' as const, content: text('Greet the user.') };
  const greeting = inputRequired.createMessage({ messages: [message], maxTokens: 50 });
  server.registerTool('test_missing_capability', FIXTURE, () => inputRequired({ inputRequests: { greeting } }));
  const requestedSchema = { type: 'object' as const, properties: { ok: { type: 'boolean' as const } } };
  const confirm = inputRequired.elicit({ message: 'Go on?', requestedSchema });
  server.registerTool('test_streaming_elicitation', FIXTURE, () => inputRequired({ inputRequests: { confirm } }));
  server.registerTool('test_logging_tool', FIXTURE, async ({ mcpReq }) => {
    await mcpReq.log('info', 'The tool has been called.');
    return { content: [text('Done.')] };
  });
}

function addResources(server: McpServer): void {
  const uri = 'test://static-text';
  server.registerResource('static-text', uri, {}, () => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  const binary = 'test://static-binary';
  server.registerResource('static-binary', binary, {}, () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', FIXTURE, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      ...FIXTURE,
      argsSchema: argumentsSchema('the prompt', () => z.strictObject({ arg1: z.string(), arg2: z.string() })),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...FIXTURE, argsSchema: argumentsSchema('the prompt', () => z.strictObject({ resourceUri: z.string() })) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', FIXTURE, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
}
