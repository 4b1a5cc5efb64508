import { defineReadmeFields } from '../../readme-fields.ts';
import { client } from '../given.ts';

export { client };

await defineReadmeFields(client);
