"""Gradients and training, against the CPU."""
import pytest
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from conftest import TYPE, is_host
from same import assert_same, moved

pytestmark = pytest.mark.usefixtures("fallbacks_forbidden")


def gradients(f, *inputs):
    """(value, gradient of each floating input) of a scalar-valued f."""
    leaves = [t.detach().requires_grad_() if t.is_floating_point() or t.is_complex() else t for t in inputs]
    value = f(*leaves)
    total = value if value.dim() == 0 else (value * torch.linspace(0.5, 1.5, value.numel()).to(value.device, value.dtype).view_as(value)).sum()
    wanted = [t for t in leaves if t.requires_grad]
    return (value.detach(), *torch.autograd.grad(total, wanted))


def both_gradients(f, *inputs, device, what=""):
    assert_same(gradients(f, *moved(inputs, device)), gradients(f, *inputs), strides=False, what=what)


def rand(*sizes, dtype=torch.float32):
    return torch.randn(sizes).to(dtype)


FUNCTIONS = {
    "linear_relu": (lambda x, w, b: F.relu(F.linear(x, w, b)), (rand(4, 5), rand(3, 5), rand(3))),
    "linear_3d": (lambda x, w, b: F.linear(x, w, b), (rand(2, 4, 5), rand(3, 5), rand(3))),
    "linear_strided": (lambda x, w: F.linear(x.transpose(1, 2), w), (rand(2, 4, 5), rand(3, 4))),
    "matmul_batched": (torch.matmul, (rand(2, 1, 3, 4), rand(5, 4, 2))),
    "mv_dot": (lambda m, v: (m @ v).dot(v[:3]), (rand(3, 4), rand(4))),
    "softmax": (lambda x: F.softmax(x, -1), (rand(3, 5),)),
    "softmax_dim0": (lambda x: F.softmax(x, 0), (rand(3, 5),)),
    "log_softmax": (lambda x: F.log_softmax(x, 1), (rand(3, 5),)),
    "cross_entropy": (F.cross_entropy, (rand(4, 5), torch.tensor([0, 4, 2, 1]))),
    "cross_entropy_ignore": (lambda x, t: F.cross_entropy(x, t, ignore_index=2), (rand(4, 5), torch.tensor([0, 4, 2, 1]))),
    "cross_entropy_weight": (lambda x, t: F.cross_entropy(x, t, torch.linspace(0.5, 2, 3).to(x)), (rand(4, 3), torch.tensor([0, 2, 2, 1]))),
    "cross_entropy_smooth": (lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), (rand(4, 5), torch.tensor([0, 4, 2, 1]))),
    "cross_entropy_none": (lambda x, t: F.cross_entropy(x, t, reduction="none"), (rand(4, 5), torch.tensor([0, 4, 2, 1]))),
    "nll_sum": (lambda x, t: F.nll_loss(x, t, reduction="sum"), (rand(4, 5), torch.tensor([0, 4, 2, 1]))),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (5,), w, b), (rand(2, 3, 5), rand(5), rand(5))),
    "layer_norm_2d": (lambda x: F.layer_norm(x, (3, 5)), (rand(2, 3, 5),)),
    "gelu": (F.gelu, (rand(3, 5),)),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), (rand(3, 5),)),
    "silu": (F.silu, (rand(3, 5),)),
    "tanh_sigmoid": (lambda x: torch.tanh(x) * torch.sigmoid(x), (rand(3, 5),)),
    "embedding": (lambda w, i: F.embedding(i, w), (rand(6, 3), torch.tensor([[1, 1, 5], [0, 2, 1]]))),
    "embedding_padding": (lambda w, i: F.embedding(i, w, padding_idx=1), (rand(6, 3), torch.tensor([[1, 1, 5], [0, 2, 1]]))),
    "mse": (F.mse_loss, (rand(3, 5), rand(3, 5))),
    "index": (lambda x, i: x[i], (rand(6, 3), torch.tensor([1, 1, 5]))),
    "index_two": (lambda x, i, j: x[i, :, j], (rand(6, 3, 4), torch.tensor([1, 1, 5]), torch.tensor([0, 2, 2]))),
    "gather": (lambda x, i: x.gather(1, i), (rand(3, 5), torch.tensor([[0, 0], [4, 1], [2, 2]]))),
    "scatter_add": (lambda x, s, i: x.scatter_add(1, i, s), (rand(3, 5), rand(3, 2), torch.tensor([[0, 0], [4, 1], [2, 2]]))),
    "cat_stack": (lambda a, b: torch.cat([a, torch.stack([b, b * 2], 1).flatten(1)], 1), (rand(3, 5), rand(3, 2))),
    "where": (lambda a, b: torch.where(a > b, a, b * 2), (rand(3, 5), rand(5))),
    "broadcast": (lambda a, b, c: a * b + c / (b.abs() + 1), (rand(3, 1, 5), rand(4, 1), rand(1))),
    "pow_exp_log": (lambda x: (x.abs() + 1).log() + x.exp() + x ** 3 + x.abs() ** 0.5, (rand(3, 5),)),
    "reductions": (lambda x: x.sum(0) + x.mean(0) + x.amax(0) + x.var(0) + x.std(0), (rand(4, 5),)),
    "max_min": (lambda x: x.max(1).values * x.min(1).values + x.max(), (rand(4, 5),)),
    "logsumexp_norm": (lambda x: x.logsumexp(1) + x.norm(dim=1), (rand(4, 5),)),
    "cumsum": (lambda x: x.cumsum(1), (rand(4, 5),)),
    "clamp": (lambda x: x.clamp(-0.5, 0.7), (rand(4, 5),)),
    "masked_fill": (lambda x, m: x.masked_fill(m, -1.0), (rand(3, 3), torch.eye(3, dtype=torch.bool))),
    "views": (lambda x: x.t()[1:, ::2].reshape(-1)[2:] * x.flatten()[:6], (rand(4, 5),)),
    "windows": (lambda x: x.unfold(0, 3, 1).pow(2), (rand(6),)),
    "as_strided": (lambda x: x.as_strided((3, 3), (2, 1), 1).exp(), (rand(8),)),
    "complex": (lambda z: torch.view_as_real(z * z.conj()).sum(), (torch.complex(rand(3, 2), rand(3, 2)),)),
    "attention": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v), (rand(2, 2, 4, 8), rand(2, 2, 4, 8), rand(2, 2, 4, 8))),
    "attention_causal": (lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), (rand(2, 2, 4, 8),)),
}


@pytest.mark.may_fall_back("unfold_backward")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name, device):
    f, inputs = FUNCTIONS[name]
    both_gradients(f, *inputs, device=device, what=name)


@pytest.mark.parametrize("name", ["linear_relu", "softmax", "layer_norm", "gelu", "mse", "embedding"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16], ids=str)
def test_gradient_dtypes(name, dtype, device):
    f, inputs = FUNCTIONS[name]
    inputs = [t.to(dtype) if t.is_floating_point() else t for t in inputs]
    a, e = gradients(f, *moved(inputs, device)), gradients(f, *inputs)
    assert [t.dtype for t in a] == [t.dtype for t in e]
    tolerance = (5e-2, 5e-2) if dtype is torch.bfloat16 else (1e-9, 1e-9)
    for x, y in zip(a, e):
        torch.testing.assert_close(x.cpu(), y, rtol=tolerance[0], atol=tolerance[1])


def test_in_place_on_activation(device):
    def f(x, w):
        y = F.linear(x, w)
        y[:, :2] = 0
        y[:, 2:].mul_(3)
        return y

    both_gradients(f, rand(4, 8), rand(6, 8), device=device)


def test_second_order(device):
    def f(x):
        g, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
        return (g * x).sum()

    both_gradients(f, rand(3, 4), device=device)


def test_accumulation_and_hooks(device):
    def f(device):
        w = torch.ones(3, device=device, requires_grad=True)
        seen = []
        w.register_hook(lambda g: seen.append(g.sum().item()))
        for i in range(3):
            (w * float(i)).sum().backward()
        return w.grad, seen

    assert_same(f(device), f("cpu"))


def test_errors_are_autograds(device):
    w = torch.ones(3, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable"):
        w.add_(1)
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.ones(1, device=device).sum().backward()


# ---- dropout, checkpointing

def test_dropout_is_reproducible(device):
    x = torch.ones(64, 64, device=device)
    torch.manual_seed(3)
    a = F.dropout(x, 0.25)
    torch.manual_seed(3)
    b = F.dropout(x, 0.25)
    c = F.dropout(x, 0.25)
    assert_same(a, b.cpu(), exact=True)
    assert not a.cpu().equal(c.cpu())
    kept = (a != 0).float().mean().item()
    assert abs(kept - 0.75) < 0.03 and abs(a.max().item() - 1 / 0.75) < 1e-6


def test_dropout_gradient_uses_the_same_mask(device):
    x = torch.ones(256, device=device, requires_grad=True)
    y = F.dropout(x, 0.5)
    y.sum().backward()
    assert_same(x.grad, y.detach().cpu())
    assert F.dropout(x, 0.5, training=False).equal(x)
    assert F.dropout(x, 1.0).abs().sum().item() == 0 and F.dropout(x, 0.0).detach().cpu().equal(torch.ones(256))


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpointing(reentrant, device):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Dropout(0.5)).to(device)
    x = torch.randn(16, 8).to(device).requires_grad_()
    results = []
    for wrapped in (False, True):
        model.zero_grad()
        x.grad = None
        torch.manual_seed(7)
        y = checkpoint(model, x, use_reentrant=reentrant) if wrapped else model(x)
        y.pow(2).sum().backward()
        results.append((y.detach().cpu(), x.grad.cpu(), model[0].weight.grad.cpu()))
    assert_same(results[1], results[0])


# ---- optimisers

OPTIMISERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.05),
    "sgd_momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "sgd_loop": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, foreach=False),
    "sgd_foreach": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, foreach=True),
    "adam": lambda p: torch.optim.Adam(p, lr=0.02),
    "adam_foreach": lambda p: torch.optim.Adam(p, lr=0.02, foreach=True, weight_decay=0.1),
    "adam_loop": lambda p: torch.optim.Adam(p, lr=0.02, foreach=False, amsgrad=True),
    "adam_fused": lambda p: torch.optim.Adam(p, lr=0.02, fused=True),
    "adamw_foreach": lambda p: torch.optim.AdamW(p, lr=0.02, foreach=True),
    "adamw_foreach_amsgrad": lambda p: torch.optim.AdamW(p, lr=0.02, foreach=True, amsgrad=True),
    "adamw_fused": lambda p: torch.optim.AdamW(p, lr=0.02, fused=True),
    "adamw_fused_amsgrad": lambda p: torch.optim.AdamW(p, lr=0.02, fused=True, amsgrad=True, maximize=True),
    "adamw_loop": lambda p: torch.optim.AdamW(p, lr=0.02, foreach=False),
    "adamw_tensor_lr": lambda p: torch.optim.AdamW(p, lr=torch.tensor(0.02), foreach=False),
    "rmsprop_loop": lambda p: torch.optim.RMSprop(p, lr=0.01, foreach=False),
    "adagrad_loop": lambda p: torch.optim.Adagrad(p, lr=0.05, foreach=False),
}


def trained(make, device, steps=5):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.LayerNorm(8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    x, target = torch.randn(16, 6), torch.randint(3, (16,))
    model, x, target = model.to(device), x.to(device), target.to(device)
    optimizer = make(model.parameters())
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses, [p.detach().cpu().clone() for p in model.parameters()]


@pytest.mark.parametrize("name", OPTIMISERS)
def test_optimiser(name, device):
    losses, weights = trained(OPTIMISERS[name], device)
    expected, expected_weights = trained(OPTIMISERS[name], "cpu")
    torch.testing.assert_close(losses, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(weights, expected_weights, rtol=1e-3, atol=2e-4)


# ---- mixed precision

@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
def test_autocast(dtype, device):
    if is_host() and dtype is torch.float16:
        dtype = torch.bfloat16
    lin = torch.nn.Linear(8, 4).to(device)
    x = torch.randn(3, 8, device=device)
    with torch.autocast(TYPE, dtype=dtype):
        y = lin(x)
        assert y.dtype == dtype
        z = F.softmax(y, -1)
        loss = F.cross_entropy(y, torch.tensor([0, 1, 2], device=device))
    assert torch.is_autocast_enabled(TYPE) is False
    loss.backward()
    assert lin.weight.grad.dtype == torch.float32 and loss.dtype == torch.float32
    torch.testing.assert_close(y.float().cpu(), F.linear(x.cpu(), lin.weight.detach().cpu(), lin.bias.detach().cpu()), rtol=2e-2, atol=2e-2)
    assert z.shape == (3, 4)


@pytest.mark.may_fall_back("_amp_foreach_non_finite_check_and_unscale_", "_amp_update_scale_")
def test_grad_scaler(device):
    lin = torch.nn.Linear(4, 2).to(device)
    optimizer = torch.optim.SGD(lin.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(TYPE, init_scale=1024.0)
    before = lin.weight.detach().cpu().clone()
    scaler.scale(lin(torch.ones(3, 4, device=device)).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    torch.testing.assert_close(lin.weight.detach().cpu(), before - 0.1 * 3, rtol=1e-5, atol=1e-5)
    lin.weight.grad.fill_(float("inf"))
    after = lin.weight.detach().cpu().clone()
    scaler.step(optimizer)
    scaler.update()
    assert lin.weight.detach().cpu().equal(after) and scaler.get_scale() == 512.0
