/** A block of what a tool, a prompt or a resource gives for a model to read. */
export type Content = TextContent | ResourceLinkContent | OtherContent;

/** For whom a block is, and how much it matters. */
export interface ContentAnnotations {
  /** Who reads it. */
  audience?: ('user' | 'assistant')[];
  /** From 0 to 1. */
  priority?: number;
  [name: string]: unknown;
}

/** Text. */
export interface TextContent {
  /** Kind of box. */
  type: 'text';
  /** The text. */
  text: string;
  /** For whom it is. */
  annotations?: ContentAnnotations;
}

/** The address of a resource that can be read. */
export interface ResourceLinkContent {
  /** Kind of box. */
  type: 'resource_link';
  /** Such as `tracking://container/<id>`. */
  uri: string;
  /** Its name. */
  name: string;
  /** Media type. */
  mimeType?: string;
  /** For whom it is. */
  annotations?: ContentAnnotations;
}

/** An image, audio or an embedded resource, as the protocol has them. */
export interface OtherContent {
  /** Kind of box. */
  type: 'image' | 'audio' | 'resource';
  /** For whom it is. */
  annotations?: ContentAnnotations;
  [name: string]: unknown;
}

/** The text of blocks that are for the user, joined. */
export function textOf(content: readonly Content[]): string {
  return content
    .filter(block => block.type === 'text')
    .map(({ text }) => text)
    .join('\n');
}
