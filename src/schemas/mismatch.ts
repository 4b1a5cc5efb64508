/** A place where an answer does not match its schema. It never contains the value, which may be private. */
export interface SchemaMismatch {
  /**
   * Type of the resource, as the service sent it; `search_result` for a search hit. For an answer without resources, the
   * method: `webhooks.ips`.
   */
  resourceType: string;
  /** Path in the resource, such as `attributes.pod_eta_at`. `*` stands for any array index. Empty for the resource itself. */
  path: string;
  /** What the schema expects. */
  expected: string;
  /** The kind of the received value, not the value. */
  received: string;
  /** What was expected and what was received, as one sentence. */
  message: string;
}
