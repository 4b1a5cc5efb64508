/** The chunk that is loaded with the first upload or download. */

export { saveAs } from './download/save-as.ts';
export { download } from './download.ts';
export { putFile } from './put-file.ts';
export { type UploadRequests, upload } from './upload.ts';
export { uploadMany } from './upload-many.ts';
