/** A place where what the service sent does not fit its schema. Never holds the value itself: it may be private. */
export interface SchemaMismatch {
  /**
   * Type of the resource, as the service named it; `search_result` for a hit of a search. For an answer that holds no
   * resources, the method: `webhooks.ips`.
   */
  resourceType: string;
  /** Below the resource, such as `attributes.pod_eta_at`. `*` stands for any index of an array. Empty for the resource itself. */
  path: string;
  /** What the schema wants. */
  expected: string;
  /** What came: the kind of value, not the value. */
  received: string;
  /** What was expected there. */
  message: string;
}
