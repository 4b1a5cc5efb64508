const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument';

/** The types of common documents, by file name extension. */
const TYPES: Readonly<Record<string, string>> = {
  '7z': 'application/x-7z-compressed',
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: `${OPEN_XML}.wordprocessingml.document`,
  eml: 'message/rfc822',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  heif: 'image/heif',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jp2: 'image/jp2',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  msg: 'application/vnd.ms-outlook',
  odp: `${OPEN_DOCUMENT}.presentation`,
  ods: `${OPEN_DOCUMENT}.spreadsheet`,
  odt: `${OPEN_DOCUMENT}.text`,
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${OPEN_XML}.presentationml.presentation`,
  ps: 'application/postscript',
  rar: 'application/vnd.rar',
  rtf: 'text/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
  xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
  xml: 'text/xml',
  zip: 'application/zip',
};

/** The MIME type for the extension of a file name; `undefined` for an unknown extension. */
export function contentTypeOf(filename: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}
