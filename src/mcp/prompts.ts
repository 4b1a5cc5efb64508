/** The arguments of the prompts of the service. */
export interface Prompts {
  /** Asks for the state of a container. */
  'track-shipment': {
    /** Number of the container, where it is known. */
    container_number: string;
    /** SCAC of the carrier. */
    carrier?: string | undefined;
  };
  /** Asks for last free day, holds and fees. */
  'check-demurrage': {
    /** Id of the container. */
    container_id: string;
  };
  /** Asks for what has delayed a container. */
  'analyze-delays': {
    /** Id of the container. */
    container_id: string;
  };
}

/** The name of a prompt of the service. */
export type PromptName = keyof Prompts;
