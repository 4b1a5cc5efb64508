/** Leaves out the types, and keeps the lines: sucrase is imported here only. */
import { transform } from 'sucrase';

export function stripTypes(code: string): string {
  return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
}
