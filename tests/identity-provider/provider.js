// An OpenID Connect provider for the end-to-end tests, on a free port of the loopback interface.
//
// The first line on standard output says where it listens and with which keys it signs. Then each line on standard
// input is a request, answered by one line: `rotate` switches to the next key and no longer publishes the previous one;
// `fetches` counts the requests for the published keys; `console ADDRESS` lets the public client `console` sign people in
// and send them back to that address. Whoever opens the provider's page is Ada, and agrees. It ends when standard input
// ends.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider from 'oidc-provider';

// Standard output is for answers only, so the provider's own messages go to standard error.
const answer = console.log;
console.log = console.info = console.warn = console.error;

const SECRET = 'a secret that is not one';
const IDS = ['first', 'second'];
const keys = IDS.map((kid) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
  // The key is parsed again: Node 20 hangs if the garbage collector frees the generator of a key while that key is exported
  // as a JWK, since both lock it.
  const parsed = createPrivateKey(privateKey);
  return {
    jwk: { ...parsed.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
    private_pem: privateKey,
    public_pem: publicKey,
  };
});

let fetches = 0;
let provider;
const server = createServer((request, response) => {
  if (new URL(request.url, issuer).pathname === '/jwks') {
    fetches += 1;
  }
  if (request.url.startsWith('/interaction/')) {
    agree(request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
    return;
  }
  provider.callback()(request, response);
});
await new Promise((listening) => {
  server.listen(0, '127.0.0.1', listening);
});
const issuer = `http://127.0.0.1:${server.address().port}`;

// Answers the provider's questions to a person: who they are, and whether the client may know.
async function agree(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    return;
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const result = { consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}

let callback;
function consoleClient() {
  if (!callback) {
    return [];
  }
  return [{
    client_id: 'console',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    redirect_uris: [callback],
    response_types: ['code'],
  }];
}

// Any client may get a token for any audience: the resource that it names.
function publishing(key) {
  return new Provider(issuer, {
    jwks: { keys: [key.jwk] },
    clients: [...consoleClient(), ...['ada', 'bob'].map((client_id) => ({
      client_id,
      client_secret: SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    }))],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
    ttl: { ClientCredentials: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          audience: resource,
          scope: '',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
}

let current = 0;
provider = publishing(keys[current]);
answer(JSON.stringify({
  issuer,
  secret: SECRET,
  keys: keys.map(({ jwk, private_pem, public_pem }) => ({ kid: jwk.kid, private_pem, public_pem })),
}));

const requests = {
  rotate: () => {
    current += 1;
    provider = publishing(keys[current]);
    return keys[current].jwk.kid;
  },
  fetches: () => fetches,
  console: (address) => {
    callback = address;
    provider = publishing(keys[current]);
    return address;
  },
};
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const [name, argument] = line.split(' ');
  answer(requests[name](argument));
});
input.on('close', () => process.exit());
