import type { CallToolResult, ContentBlock } from './protocol.ts';
import { type ResponseContract, steeringHints } from './response-contract.ts';

/** The result of a tool, as data and as text that says the same, and what the model is told about it. */
export function toolResult(
  result: Record<string, unknown>,
  contract: ResponseContract,
  links: ContentBlock[] = [],
): CallToolResult {
  // What JSON leaves out must not be in one of the two.
  const text = JSON.stringify(result);
  return {
    content: [{ type: 'text', text }, ...links, forAssistant(JSON.stringify(steeringHints(contract)))],
    structuredContent: { ...JSON.parse(text), _response_contract: JSON.parse(JSON.stringify(contract)) },
  };
}

/** A failure that the model can act on. */
export interface Failure {
  error: string;
  message: string;
  retry_after_seconds?: number;
}

export function failureResult(failure: Failure): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
}

function forAssistant(text: string): ContentBlock {
  return { type: 'text', text, annotations: { audience: ['assistant'] } };
}
