import { MINUTE } from '../base/time.ts';
import { PREFIX } from '../http/call.ts';
import type { Backend } from '../state/backend.ts';
import type { Upload } from '../state/store.ts';

export const STORAGE_PATH = '/rails/active_storage/disk';

/** How long a signed address is valid. */
const VALID_FOR = 5 * MINUTE;

export type NewUpload = Pick<Upload, 'filename' | 'contentType' | 'byteSize' | 'checksum' | 'bytes'> & {
  /** @default now */
  createdAt?: number;
};

export function addUpload({ ids, store, now }: Backend, upload: NewUpload): Upload {
  const id = ids.next('upload');
  const signedId = `${btoa(id)}--${ids.of('signed id', id).replaceAll('-', '')}`;
  return store.uploads.add({ createdAt: now, ...upload, id, signedId });
}

/** The signed address for the upload (`put`) or the download (`get`) of a file. */
export function signedAddress({ ids, now }: Backend, origin: string, purpose: 'put' | 'get', { id }: Upload): string {
  const expires = Math.floor(now + VALID_FOR);
  const signature = ids.of(purpose, id, expires);
  return `${origin}${PREFIX}${STORAGE_PATH}/${id}?expires=${expires}&signature=${signature}`;
}

/** The file of a signed address, and whether the address has expired. `undefined` if the signature is wrong. */
export function readAddress(
  { ids, store, now }: Backend,
  purpose: 'put' | 'get',
  id: string,
  query: URLSearchParams,
): { upload: Upload; isExpired: boolean } | undefined {
  const upload = store.uploads.get(id);
  const expires = Number(query.get('expires'));
  const isSigned = query.get('signature') === ids.of(purpose, id, expires);
  return upload && isSigned ? { upload, isExpired: now > expires } : undefined;
}

/** The headers that an upload must have. */
export function storageHeaders({ filename, contentType, checksum }: Upload): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-MD5': checksum,
    'Content-Disposition': disposition('inline', filename),
  };
}

/** The headers of a file. Whoever uploaded it must not run a script in the page of the sandbox, which has the same origin. */
export function downloadHeaders({ filename, contentType }: Upload): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Disposition': disposition('attachment', filename),
    'Content-Security-Policy': 'sandbox',
    'X-Content-Type-Options': 'nosniff',
  };
}

function disposition(type: 'attachment' | 'inline', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '?');
  // The conversion to UTF-8 replaces single surrogates, which cannot be encoded.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(filename));
  const encoded = encodeURIComponent(wellFormed).replace(/['()*]/g, escaped);
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
