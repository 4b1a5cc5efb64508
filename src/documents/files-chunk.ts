/** The chunk that is loaded with the first upload or download. */

export { download } from './download.ts';
export { saveAs } from './save-as.ts';
export { putFile, type UploadRequests, upload, uploadMany } from './upload.ts';
