/** Examples of each command, with flags and segments of the shop of `npm start`. They work in this order. */
export const EXAMPLES = `list
list --search checkout --state on
show new-checkout
create free-returns
create accent --type string --variation red=#d00 --variation blue=#00d
create limits --type json --variation '{"perMinute":60}' --variation '{}'
toggle new-checkout
on new-checkout
on search-ranking --at +2h
off new-checkout --reason 'incident 17'
off search-ranking --serve semantic
archive free-returns
restore free-returns
rename new-checkout 'New checkout'
describe new-checkout 'Checkout in one step'
tag new-checkout search-ranking --tag web
untag search-ranking --tag web
variation add banner-text 'Fri frakt'
variation edit banner-text 'Fri frakt' --value 'Fri leverans'
variation remove banner-text 'Fri frakt'
rule list new-checkout
rule add new-checkout true --if plan=pro --if 'age >= 18'
rule add new-checkout true=10 false=90 --if 'country in NO,SE' --name Nordic
rule edit banner-text Germany --if 'country in de,at'
rule move new-checkout Nordic 1
rule remove new-checkout Nordic
rollout new-checkout true=10 false=90
rollout search-ranking semantic --rule Beta
target new-checkout true ann bob
untarget new-checkout bob
segment list
segment show Beta
segment create Partners
segment rename Partners Friends
segment describe Friends 'Shops that sell with us'
segment include Friends ann bob
segment exclude Friends eve
segment remove Friends bob
segment archive Friends
segment restore Friends
segment rule list Staff
segment rule add Friends --if 'email ends-with @acme.com' --name Acme
segment rule edit Friends Acme --if 'email ends-with @acme.org'
segment rule move Friends Acme 1
segment rule remove Friends Acme
segment duplicate Friends Guests
segment delete Guests
duplicate new-checkout next-checkout
delete next-checkout
plan create new-checkout --variation true --step 25%@now --step 50%@+2h --step 100%@+1d
plan list
plan show new-checkout
plan resume new-checkout
plan skip new-checkout
plan abort new-checkout
alarm errors ALARM
history
history new-checkout --limit 5
undo
tail
tail --by ann
push-status
evaluate new-checkout --user u1 --attr plan=beta
evaluate --user u1
usage new-checkout --days 7
stale --days 30 --fail
refs ../shop ':!dist'
env list
env show
env create staging
env use development
env rename test --env staging
env keep-history 90
env mark --production on --env test
env require-reason on --env test --yes
env clone development copy
env diff development production --exit-code
env delete copy --yes
copy new-checkout --from development --to production --dry-run
export --output flags.json
export --to flagd --output flagd.json
import flags.json --dry-run
import flags.yaml --prune --commit 'Open the beta (4c1f0b9)'
secret list
secret create mobile --type client
secret rotate mobile --grace 7d
secret revoke mobile
relay create agents development production --yes
relay list
relay revoke 0f1e2d3c4b5a6978
tier host
completion bash`.split('\n');
