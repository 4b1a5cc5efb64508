/** The version in package.json. A test compares the two versions. */
export const VERSION = '0.1.0';
