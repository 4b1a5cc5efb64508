/** What a model reads before it uses the server. */
export const INSTRUCTIONS = `Container tracking of one account, live: an answer may differ from the one before.

Words: a box is a container (four letters, seven digits). A shipment is a bill of lading or a booking, with its containers. SCAC: a carrier's code of four letters. POL, POD: port of lading, port of discharge. Last free day: the last day to collect a container without a charge (demurrage). Hold: what forbids to collect it (customs, freight and others). Transport event: what has happened to a container, or is expected.

How to work:
- Begin with search_container if you have a number. The other tools need the id that it gives.
- get_container tells where a box is, whether it can be picked up, its last free day, holds and fees. get_shipment_details tells the voyage. get_container_transport_events tells the timeline. get_container_route tells the legs (a paid feature).
- list_shipments, list_containers and list_tracking_requests are for worklists, page by page. They have few filters: what they could not apply is in dropped_filters, and you have to say so.
- Only track_container changes something. Find the carrier with get_supported_shipping_lines if it is not clear.

How to answer:
- Give deadlines as the day at the place, with the days left. Give times in the local time of the place.
- Tell what is stale, what is an estimate and what was cut. Do not tell what is not in an answer.
- An answer is at most about 60,000 characters. What was left out is named in "cut", with the arguments that give it.
- A failed call names its kind in "error": after rate_limited wait the seconds that it gives; unauthorized, forbidden and feature_not_enabled are for the user and not for another try.
- _response_contract is guidance for you. Do not show it.`;
