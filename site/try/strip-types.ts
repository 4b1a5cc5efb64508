/** Removes the types, and keeps the lines. sucrase is imported only here. */
import { transform } from 'sucrase';

export function stripTypes(code: string): string {
  return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
}
