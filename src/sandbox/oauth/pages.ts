import type { CodeRequest } from './grants.ts';

/** The page on which a person allows a program what it asks for, or not. */
export function signInPage(
  { client, scope, resource }: CodeRequest,
  query: URLSearchParams,
  accounts: readonly string[],
): string {
  const fields = Array.from(query, ([name, value]) => {
    return `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;
  });
  return html(
    'Sign in',
    `<p><b>${escaped(client.name)}</b> wants to use <code>${escaped(resource)}</code> for you.</p>
<p>It asks for: ${escaped(scope)}</p>
<form method="post">
${fields.join('\n')}
${accounts.length > 1 ? choice(accounts) : ''}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  );
}

function choice(accounts: readonly string[]): string {
  const options = accounts.map(name => `<option>${escaped(name)}</option>`);
  return `<p><label>Account <select name="account">${options.join('')}</select></label></p>`;
}

export function errorPage(problem: string): string {
  return html('Not possible', `<p>${escaped(problem)}</p>`);
}

function html(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · sandbox</title></head>
<body><h1>${title}</h1>
${body}
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
