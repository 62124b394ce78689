export async function review() { return 'none yet'; }
