/** Placeholders in the trust policy and the workflow for unknown values. */
const PLACEHOLDER = { account: '<account>', region: '<region>' };

/** The target of a deployment. */
interface Destination {
  readonly stage: string;
  readonly account?: string;
  readonly region?: string;
}

/**
 * The trust policy of a role that workflows of a repository assume, in the repository's environment with the stage's name. IAM needs the
 * OIDC provider token.actions.githubusercontent.com with the audience sts.amazonaws.com.
 *
 * Source: https://docs.github.com/en/actions/how-tos/secure-your-work/security-harden-deployments/oidc-in-aws
 *
 * @param repository `<owner>/<name>`
 */
export function githubTrust({ stage, account = PLACEHOLDER.account }: Destination, repository: string): object {
  const issuer = 'token.actions.githubusercontent.com';
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: `arn:aws:iam::${account}:oidc-provider/${issuer}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${issuer}:aud`]: 'sts.amazonaws.com',
            [`${issuer}:sub`]: `repo:${repository}:environment:${stage}`,
          },
        },
      },
    ],
  };
}

/**
 * A GitHub workflow that deploys the stage from its main branch, without keys: with OIDC and a role named `flagwire-deploy-<stage>`. The
 * settings are in the stage's file in the repository.
 */
export function githubWorkflow({
  stage,
  account = PLACEHOLDER.account,
  region = PLACEHOLDER.region,
}: Destination): string {
  return `name: Deploy ${stage}

on:
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  id-token: write

concurrency: deploy-${stage}

jobs:
  deploy:
    runs-on: ubuntu-latest
    environment: ${stage}
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-node@v6
        with:
          node-version: 24
          cache: npm
      - uses: aws-actions/configure-aws-credentials@v5
        with:
          role-to-assume: arn:aws:iam::${account}:role/flagwire-deploy-${stage}
          aws-region: ${region}
      - run: npm ci
      - run: npm run deploy -- ${stage} --require-approval never
`;
}
