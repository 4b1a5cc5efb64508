/** What is loaded with the first upload or download. */
export { download } from './download.ts';
export { putFile } from './put-file.ts';
export { saveAs } from './save-as.ts';
export { type UploadCalls, upload } from './upload.ts';
export { uploadMany } from './upload-many.ts';
