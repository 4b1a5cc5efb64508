/** A block of a tool result, a prompt or a resource, for a model. */
export type Content = TextContent | ResourceLinkContent | OtherContent;

/** The readers of a block, and its importance. */
export interface ContentAnnotations {
  /** Readers of the block. */
  audience?: ('user' | 'assistant')[];
  /** Importance, from 0 to 1. */
  priority?: number;
  [name: string]: unknown;
}

/** A block of text. */
export interface TextContent {
  /** Kind of block. */
  type: 'text';
  /** The text. */
  text: string;
  /** Readers and importance of the block. */
  annotations?: ContentAnnotations;
}

/** The address of a resource that can be read. */
export interface ResourceLinkContent {
  /** Kind of block. */
  type: 'resource_link';
  /** Address, such as `tracking://container/<id>`. */
  uri: string;
  /** Name of the resource. */
  name: string;
  /** Media type. */
  mimeType?: string;
  /** Readers and importance of the block. */
  annotations?: ContentAnnotations;
}

/** An image, audio or an embedded resource, with the fields of the protocol. */
export interface OtherContent {
  /** Kind of block. */
  type: 'image' | 'audio' | 'resource';
  /** Readers and importance of the block. */
  annotations?: ContentAnnotations;
  [name: string]: unknown;
}

/** A tool of a server. */
export interface ToolSummary {
  /** Name by which the tool is called. */
  name: string;
  /** Name for people. */
  title?: string;
  /** The effect of the tool, described for a model. */
  description?: string;
  /** Arguments of the tool, as a JSON schema. */
  inputSchema: Record<string, unknown>;
  /** Result of the tool, as a JSON schema. */
  outputSchema?: Record<string, unknown>;
  /** Hints about the effects of the tool. */
  annotations?: {
    /** True if the tool changes nothing. */
    readOnlyHint?: boolean;
    /** True if the tool may destroy data. */
    destructiveHint?: boolean;
    /** True if a second call has no further effect. */
    idempotentHint?: boolean;
    /** True if the tool has effects beyond the service. */
    openWorldHint?: boolean;
  };
}

/** A prompt of a server. */
export interface PromptSummary {
  /** Name of the prompt. */
  name: string;
  /** Name for people. */
  title?: string;
  /** Purpose of the prompt. */
  description?: string;
  /** Arguments of the prompt. */
  arguments?: {
    /** Name of the argument. */
    name: string;
    /** Meaning of the argument. */
    description?: string;
    /** True if the argument is required. */
    required?: boolean;
  }[];
}

/** A message of a prompt. */
export interface PromptMessage {
  /** Author of the message. */
  role: 'user' | 'assistant';
  /** Content of the message. */
  content: Content;
}

/** A resource of a server, or the address pattern of many resources. */
export interface ResourceSummary {
  /** Address of the resource. A pattern has `uriTemplate` instead. */
  uri?: string;
  /** The address pattern, with names in braces. */
  uriTemplate?: string;
  /** Name of the resource. */
  name: string;
  /** The content, in one sentence. */
  description?: string;
  /** Media type. */
  mimeType?: string;
}

/** The content of a resource: text, or bytes in base64. */
export interface ResourceContents {
  /** Address of the resource. */
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
  /** Requests the last free day, holds and fees. */
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
