/** A block that a tool, a prompt or a resource gives for a model to read. */
export type Content = TextContent | ResourceLinkContent | OtherContent;

/** The readers of a block, and its importance. */
export interface ContentAnnotations {
  /** Its readers. */
  audience?: ('user' | 'assistant')[];
  /** From 0 to 1. */
  priority?: number;
  [name: string]: unknown;
}

/** Text. */
export interface TextContent {
  /** Kind of block. */
  type: 'text';
  /** The text. */
  text: string;
  /** Its readers and its importance. */
  annotations?: ContentAnnotations;
}

/** The address of a resource that can be read. */
export interface ResourceLinkContent {
  /** Kind of block. */
  type: 'resource_link';
  /** Such as `tracking://container/<id>`. */
  uri: string;
  /** Its name. */
  name: string;
  /** Media type. */
  mimeType?: string;
  /** Its readers and its importance. */
  annotations?: ContentAnnotations;
}

/** An image, audio or an embedded resource, as the protocol has them. */
export interface OtherContent {
  /** Kind of block. */
  type: 'image' | 'audio' | 'resource';
  /** Its readers and its importance. */
  annotations?: ContentAnnotations;
  [name: string]: unknown;
}

/** A tool that a server has. */
export interface ToolSummary {
  /** Its name, by which it is called. */
  name: string;
  /** The same for people. */
  title?: string;
  /** Its effect, for a model to read. */
  description?: string;
  /** Its arguments, as a JSON schema. */
  inputSchema: Record<string, unknown>;
  /** Its result, as a JSON schema. */
  outputSchema?: Record<string, unknown>;
  /** Hints about its effects. */
  annotations?: {
    /** It changes nothing. */
    readOnlyHint?: boolean;
    /** It may destroy something. */
    destructiveHint?: boolean;
    /** A second call does no more. */
    idempotentHint?: boolean;
    /** It reaches beyond the service. */
    openWorldHint?: boolean;
  };
}

/** A prompt that a server has. */
export interface PromptSummary {
  /** Its name. */
  name: string;
  /** The same for people. */
  title?: string;
  /** Its purpose. */
  description?: string;
  /** Its arguments. */
  arguments?: {
    /** Its name. */
    name: string;
    /** Its meaning. */
    description?: string;
    /** True if it is required. */
    required?: boolean;
  }[];
}

/** A message of a prompt. */
export interface PromptMessage {
  /** Its author. */
  role: 'user' | 'assistant';
  /** Its content. */
  content: Content;
}

/** A resource that a server has, or the pattern of the addresses of many. */
export interface ResourceSummary {
  /** Its address. A pattern has `uriTemplate` instead. */
  uri?: string;
  /** The pattern, with names in braces. */
  uriTemplate?: string;
  /** Its name. */
  name: string;
  /** Its content in one sentence. */
  description?: string;
  /** Media type. */
  mimeType?: string;
}

/** The content of a resource: text, or bytes in base64. */
export interface ResourceContents {
  /** Its address. */
  uri: string;
  /** Media type. */
  mimeType?: string;
  /** The text. */
  text?: string;
  /** The bytes, in base64. */
  blob?: string;
}

/** The arguments of the prompts of the service. */
export interface Prompts {
  /** Requests the state of a container. */
  'track-shipment': {
    /** Number of the container. */
    container_number: string;
    /** SCAC of the carrier. */
    carrier?: string | undefined;
  };
  /** Requests last free day, holds and fees. */
  'check-demurrage': {
    /** Id of the container. */
    container_id: string;
  };
  /** Requests the causes of the delays of a container. */
  'analyze-delays': {
    /** Id of the container. */
    container_id: string;
  };
}

/** The name of a prompt of the service. */
export type PromptName = keyof Prompts;
