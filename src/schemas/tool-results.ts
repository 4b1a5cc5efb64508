import { toolResults } from '../model/generated/mcp-tool-schemas.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { compile, Mismatches } from './mismatch.ts';

/** The places where the result of a tool does not match its schema. Tools without a schema have no mismatches. */
export function checkToolResult(tool: string, result: unknown): SchemaMismatch[] {
  const mismatches = new Mismatches();
  if (Object.hasOwn(toolResults, tool)) {
    const schema = toolResults[tool as keyof typeof toolResults];
    if (!compile(schema)(result)) mismatches.addOf(result, tool, schema);
  }
  return mismatches.all();
}
