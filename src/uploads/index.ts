/** What is loaded with the first upload or download. */
export { download } from './download/download.ts';
export { saveAs } from './download/save-as.ts';
export { putFile } from './put-file.ts';
export { type UploadCalls, upload } from './upload.ts';
export { uploadMany } from './upload-many.ts';
