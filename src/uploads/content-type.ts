import { mimes } from 'mrmime';

/** With those that documents come in and that mrmime leaves out: it knows no vendor's. */
const types: Record<string, string> = {
  ...mimes,
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  msg: 'application/vnd.ms-outlook',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The MIME type by the ending of a file name; `undefined` for one that nobody knows. */
export function contentTypeOf(filename: string): string | undefined {
  const ending = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? types[ending] : undefined;
}
