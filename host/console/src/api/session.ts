// Signing in and out.
import { client, type Session, write } from "./client";
import { credentials, signedIn } from "./credentials";

/** Returns the session of the browser's cookie, and gives this tab a key that ends with it. */
export async function beginWithSession(): Promise<Session | undefined> {
  const { data } = await client.GET("/v1/session");
  if (!data) return undefined;
  credentials.csrf = data.csrf_token;
  if (!credentials.key) {
    const body = { name: "Console", expires_at: data.expires_at };
    credentials.key = (await write(() => client.POST("/v1/keys", { body }))).secret;
  }
  return data;
}

signedIn.renew = async () => {
  // A key that was refused is of no use, and a session that has ended gives no new one.
  credentials.key = "";
  return (await beginWithSession().catch(() => undefined)) !== undefined;
};

/** Whether the server accepts this tab's key. */
export async function hasValidKey(): Promise<boolean> {
  if (!credentials.key) return false;
  const { response } = await client.GET("/v1/usage");
  return response.status !== 401;
}

/** Whether a key is the one of this tab, by the first characters that the server lists. */
export function isOwnKey(prefix: string): boolean {
  return credentials.key.startsWith(prefix.replace(/…$/, ""));
}

/** Revokes this tab's key and ends the session. */
export async function signOut(session: Session | undefined): Promise<void> {
  if (session) {
    const listed = await client.GET("/v1/keys", { params: { query: { limit: 100 } } });
    const own = listed.data?.keys.find((key) => isOwnKey(key.prefix));
    if (own) await client.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: own.id } } });
    await client.DELETE("/v1/session");
  }
  credentials.key = "";
  credentials.csrf = "";
}
