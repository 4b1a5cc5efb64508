import { smoke } from './smoke.mjs';

export default {
  async fetch(_request, env) {
    try {
      return Response.json(await smoke(env.BASE_URL));
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};
