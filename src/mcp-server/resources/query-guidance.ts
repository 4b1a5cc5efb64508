/** Which tool for which question. */
export const QUERY_GUIDANCE_TEXT = `# Which tool for which question

| Question | Tool |
|---|---|
| Where is container X? | \`search_container\`, then \`get_container\` |
| When does the ship arrive? | \`search_container\`, then \`get_shipment_details\` |
| What has happened to it? | \`get_container_transport_events\` |
| Which ports does it pass? | \`get_container_route\` (paid), else \`get_container_transport_events\` |
| Can it be picked up, and until when? | \`get_container\`: \`location\` and \`demurrage\` |
| What has arrived, what is due? | \`list_containers\`, page by page |
| Which shipments are there? | \`list_shipments\`, page by page |
| What could not be tracked? | \`list_tracking_requests\` with the status \`failed\` |
| Is carrier Y supported? | \`get_supported_shipping_lines\` |
| Track this number. | \`track_container\` |

## What lists cannot do

- \`status\`, \`port\`, \`carrier\` and \`updated_after\` of \`list_shipments\` and \`list_containers\`, and \`request_type\` of \`list_tracking_requests\`, are accepted and not applied: the service has no such filters. The answer names them in \`dropped_filters\` and \`unsupportedFilters\`.
- To answer such a question, read the pages and look at the rows, and say how many pages you have read.
- \`next\` holds the arguments for the rows after these. It is null on the last page.
- The total of a list without a filter is not reliable above 1,000.

## Answers

- A last free day is a day at the place. \`pickup_lfd_local\` gives it with its time zone, \`days_until_lfd\` counts the days there.
- Where \`urgency_suppressed\` is true, the facts are too old to judge: give \`urgency_reason\`.
- \`fees_total_amount\` is the sum of what the terminal reports. There are no daily rates.
- \`cut\` tells what was left out of an answer, and how to get it.
`;
