import * as s from './schema/build.ts';

/** How to read an answer and what to do next: guidance for the model, not content for its user. */
export interface ResponseContract {
  purpose: string;
  can_answer: string[];
  requires_more_data: string[];
  relevant_fields: string[];
  presentation_guidance: string;
  suggested_follow_ups: string[];
  suggested_tools: string[];
  /** How to show the rows of a list. */
  display?: Display;
  /** Arguments that the service cannot apply: the list is as if they had not been given. */
  dropped_filters?: string[];
  /** Where the number of all rows is known: whether it can be told to a user. */
  total_is_reliable?: boolean;
}

export interface Display {
  preferred_format: 'table' | 'list';
  table_when_rows_gte: number;
  max_rows: number;
  default_columns: string[];
  sort: { key: string; direction: 'asc' | 'desc' }[];
  empty_state: string;
  column_catalog_resource: string;
  column_sets: { intent: string; when_user_asks: string[]; columns: string[] }[];
  selection_strategy: string;
}

/** In short: ten tools repeat it. */
export function responseContractSchema() {
  return s
    .open({ purpose: s.string(), presentation_guidance: s.string() })
    .describe('How to read the answer and what to do next. Not for the user.');
}

/** The part that is repeated as text: some clients show a model nothing else. */
export function steeringHints(contract: ResponseContract) {
  const { purpose, presentation_guidance, suggested_follow_ups, suggested_tools, dropped_filters } = contract;
  return {
    _response_contract: true,
    purpose,
    presentation_guidance,
    suggested_follow_ups,
    suggested_tools,
    ...(dropped_filters && { dropped_filters }),
  };
}
